"""A real Chromium without a window, driven through its own protocol over two pipes: pages, keys, mouse, screenshots."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

BINARY = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
TURNS = 1200  # that a condition is looked at
PATIENCE = 60.0  # seconds for one answer, on a busy machine
SWITCHES = (
    "--headless=new --remote-debugging-pipe --no-sandbox --disable-gpu --hide-scrollbars --no-first-run "
    "--disable-background-networking --force-device-scale-factor=1"
).split()
CODES = {"ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35, " ": 32, "Enter": 13, "Tab": 9, "PageDown": 34}


class Browser:
    """One page of Chromium. Events that came in are in `events`."""

    def __init__(self, process: subprocess.Popen[bytes], to: int, back: int) -> None:
        self._process, self._to, self._back = process, to, back
        self._buffer, self._number, self.session, self.events = b"", 0, "", list[dict[str, Any]]()
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> Any:
        """Call a method of the protocol, and wait for its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        message |= {"sessionId": self.session} if self.session else {}
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while (answer := self._read()).get("id") != self._number:
            self.events.append(answer)
        assert "error" not in answer, answer
        return answer["result"]

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._back], [], [], PATIENCE)
            part = os.read(self._back, 1 << 20) if ready else b""
            assert part, "Chromium says nothing more"
            self._buffer += part
        text, self._buffer = self._buffer.split(b"\0", 1)
        message: dict[str, Any] = json.loads(text)
        return message

    def open(self, page: Path, size: tuple[int, int] = (1280, 720)) -> None:
        """Show a file, and wait until it has been loaded."""
        width, height = size
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.events.clear()
        self.call("Page.navigate", url=page.resolve().as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._read())

    def reduce_motion(self, on: bool = True) -> None:
        """Say to the page that its reader wants less motion, or that all of it is welcome."""
        value = "reduce" if on else "no-preference"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": value}])

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def text(self, selector: str) -> str:
        return str(self.run(f"document.querySelector({json.dumps(selector)}).textContent"))

    def until(self, condition: str, why: str) -> None:
        """Wait until an expression is true, looked at in each frame that is drawn."""
        script = f"""new Promise((done, fail) => {{
            let left = {TURNS};
            const look = () => ({condition}) ? done() : --left ? setTimeout(look, 16) : fail({json.dumps(why)});
            look();
        }})"""
        self.run(script)

    def press(self, key: str, text: str = "", modifiers: int = 0) -> None:
        """Press and release a key."""
        text = text or (key if len(key) == 1 else "\r" if key == "Enter" else "")
        code = CODES.get(key, ord(key.upper()) if len(key) == 1 else 0)
        common = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text: str) -> None:
        self.call("Input.insertText", text=text)

    def click(self, selector: str) -> None:
        """Click into the middle of an element."""
        script = (
            f"(() => {{ const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect(); "
            "return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        x, y = self.run(script)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def drag(self, selector: str, across: int, down: int) -> None:
        """Drag from the middle of an element."""
        script = (
            f"(box => [box.x + box.width / 2, box.y + box.height / 2])"
            f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())"
        )
        x, y = self.run(script)
        way = ("mousePressed", 0.0), ("mouseMoved", 0.5), ("mouseMoved", 1.0), ("mouseReleased", 1.0)
        for kind, part in way:
            at = {"x": x + part * across, "y": y + part * down, "buttons": int(kind != "mouseReleased")}
            self.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **at)

    def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def requests(self) -> list[str]:
        """The addresses that the page has asked for."""
        sent = [event for event in self.events if event.get("method") == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in sent]

    def errors(self) -> list[str]:
        """Exceptions and complaints of the page."""
        kinds = ("Runtime.exceptionThrown", "Log.entryAdded")
        return [json.dumps(event["params"]) for event in self.events if event.get("method") in kinds]


@contextmanager
def chromium(profile: Path) -> Iterator[Browser]:
    """A browser with a profile of its own, which ends with the block."""
    (in_read, in_write), (out_read, out_write) = os.pipe(), os.pipe()
    command = [str(BINARY), *SWITCHES, f"--user-data-dir={profile}"]
    process = subprocess.Popen(
        ["bash", "-c", f'exec "$@" 3<&{in_read} 4>&{out_write}', "bash", *command],
        pass_fds=(in_read, out_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=os.environ | {"HOME": str(profile)},
    )  # fmt: skip
    os.close(in_read)
    os.close(out_write)
    try:
        yield Browser(process, in_write, out_read)
    finally:
        os.close(in_write)
        os.close(out_read)
        process.kill()
        process.wait()
