"""FFmpeg, that of the optional package imageio-ffmpeg or of the system, at work on raw frames."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtGui import QImage

from cadena.core.graph.fault import Refused

COLORS = "-vf scale=out_color_matrix=bt709:out_range=tv -colorspace bt709 -color_primaries bt709 -color_trc bt709"
MP4 = f"{COLORS} -c:v libx264 -preset medium -crf 18 -pix_fmt yuv420p -movflags +faststart -f mp4".split()
PALETTE = (
    "-vf palettegen=stats_mode=full -frames:v 1 -update 1 -c:v png -f image2".split()
)  # the colours of a GIF, as a picture
ROOM = 1 << 20  # bytes: a disk with fewer is full
MISSING, INSTALL = "films need FFmpeg, which is not installed", "install it with: pip install imageio-ffmpeg"


def with_palette(palette: ScratchFile) -> list[str]:
    """The options of a GIF in the colours of a palette."""
    source = ["-f", "png_pipe", "-i", palette.path]
    return [*source, "-lavfi", "paletteuse=dither=none:diff_mode=rectangle", "-loop", "0", "-f", "gif"]


@dataclass(frozen=True)
class ScratchFile:
    """A temporary file that FFmpeg opens by `path`."""

    path: str
    number: int | None = None  # the descriptor that the path leads through, which FFmpeg inherits

    def content(self) -> bytes:
        return Path(self.path).read_bytes()


@contextmanager
def scratch_file() -> Iterator[ScratchFile]:
    """A temporary file. On Linux no folder lists it, so that nothing stays when the program is killed; elsewhere a
    folder of its own does."""
    if Path("/proc/self/fd").is_dir():
        with tempfile.TemporaryFile() as file:
            yield ScratchFile(f"/proc/self/fd/{file.fileno()}", file.fileno())
        return
    with tempfile.TemporaryDirectory(prefix="cadena-film-") as folder:
        yield ScratchFile(str(Path(folder) / "scratch"))


def ffmpeg() -> str:
    """The path of FFmpeg. Raises Refused, with the line that installs it, where there is none."""
    try:
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError):  # RuntimeError: the package came without the program
        if (installed := shutil.which("ffmpeg")) is None:
            raise Refused(MISSING, INSTALL) from None
        return installed


class Encoder:
    """FFmpeg at work on raw frames; it is ended with the block, and its complaint is a refusal."""

    def __init__(
        self,
        program: str,
        size: tuple[int, int],
        fps: int,
        options: list[str],
        target: ScratchFile,
        palette: ScratchFile | None = None,
    ) -> None:
        width, height = size
        source = ["-f", "rawvideo", "-pix_fmt", "bgra", "-s", f"{width}x{height}", "-r", str(fps), "-i", "-"]
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 -- closed with the encoder
        try:
            self._process = subprocess.Popen(
                [program, "-y", "-loglevel", "error", *source, *options, target.path],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self._complaints,
                pass_fds=[one.number for one in (target, palette) if one and one.number is not None],
            )  # fmt: skip
        except OSError as error:
            self._complaints.close()
            raise Refused("FFmpeg cannot be started: {reason}", INSTALL, reason=error.strerror) from None

    def add(self, image: QImage) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(image.constBits())
        except OSError:
            self._refuse()

    def __enter__(self) -> Encoder:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        assert self._process.stdin is not None
        try:
            if kind is None:
                self._process.communicate()
                if self._process.returncode:
                    self._refuse()
        finally:
            self._process.kill()
            with suppress(OSError):  # it has ended without reading all
                self._process.stdin.close()
            self._process.wait()
            self._complaints.close()

    def _refuse(self) -> None:
        self._process.wait()
        if (
            shutil.disk_usage(folder := tempfile.gettempdir()).free < ROOM
        ):  # then FFmpeg has no room for its complaint either
            remedy = "free some space there, or name another folder in TMPDIR"
            raise Refused("{folder}: the disk is full while the film is made there", remedy, folder=folder)
        self._complaints.seek(0)
        lines = self._complaints.read().decode(errors="replace").strip().splitlines() or ["it ended early"]
        raise Refused("FFmpeg cannot make this film: {reason}", "choose another size", reason=lines[-1])
