#!/bin/sh
# Writes resources/fonts: the fonts of the window with the characters that Cadena sets, each with its licence.
# Needs Debian's apt-get, npm and Python; fonttools is no dependency of Cadena.
set -eu
cd -- "$(dirname -- "$0")/.."
fonts=$(pwd)/resources/fonts
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$fonts"
cd "$scratch"

python3 -m venv venv
venv/bin/python -m pip install --quiet fonttools brotli
apt-get download -qq fonts-inter fonts-jetbrains-mono
for package in *.deb; do dpkg -x "$package" debian; done
for name in inter jetbrains-mono stix-two-text; do
    npm pack --silent "@fontsource/$name" >/dev/null
    mkdir "$name"
    tar xzf "fontsource-$name"-*.tgz -C "$name" --strip-components=1
done

# Latin, Greek, Cyrillic; punctuation, super- and subscripts, letterlike signs, arrows, operators, shapes.
ranges="U+0020-024F,U+0300-045F,U+1D00-1DBF,U+1E00-1EFF,U+2000-22FF,U+2300-23FF,U+2460-24FF,U+25A0-27BF,U+2A00-2AFF,U+1D400-1D7FF"
subset() { # FILE NAME
    venv/bin/pyftsubset "$1" --output-file="$fonts/$2" --unicodes="$ranges" --no-hinting \
        --layout-features=kern,mark,mkmk,ccmp,case --name-IDs=0,1,2,3,4,5,6,13,14,16,17
}
# Digits of one width as the usual ones: chosen by a feature, they would have no letters in the text of a PDF.
with_tabular_digits() { # FILE
    venv/bin/python - "$1" <<'PYTHON'
import sys
from fontTools.ttLib import TTFont
font = TTFont(sys.argv[1])
table = font["GSUB"].table
numbers = next(item.Feature.LookupListIndex for item in table.FeatureList.FeatureRecord if item.FeatureTag == "tnum")
swaps = [getattr(part, "ExtSubTable", part).mapping for number in numbers for part in table.LookupList.Lookup[number].SubTable]
for cmap in font["cmap"].tables:
    for digit in range(ord("0"), ord("9") + 1):
        cmap.cmap[digit] = next((swap[cmap.cmap[digit]] for swap in swaps if cmap.cmap.get(digit) in swap), cmap.cmap[digit])
font.save("tabular.otf")
PYTHON
}
for weight in Regular Medium SemiBold Bold; do
    with_tabular_digits "debian/usr/share/fonts/opentype/inter/Inter-$weight.otf"
    subset tabular.otf "Inter-$weight.otf"
done
for weight in Regular SemiBold; do
    subset "debian/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-$weight.ttf" "JetBrainsMono-$weight.ttf"
done
for style in normal italic; do # npm has a file for each script
    venv/bin/python - "$style" <<'PYTHON'
import sys
from fontTools.merge import Merger
from fontTools.ttLib import TTFont
parts = []
for script in ("latin", "latin-ext", "greek"):
    font = TTFont(f"stix-two-text/files/stix-two-text-{script}-400-{sys.argv[1]}.woff2")
    font.flavor = None
    for table in ("GSUB", "GPOS", "GDEF", "STAT"):
        if table in font:
            del font[table]
    parts.append(f"{script}.ttf")
    font.save(parts[-1])
Merger().merge(parts).save("merged.ttf")
PYTHON
    case $style in normal) name=Regular ;; *) name=Italic ;; esac
    subset merged.ttf "STIXTwoText-$name.ttf"
done
for name in inter jetbrains-mono stix-two-text; do cp "$name/LICENSE" "$fonts/OFL-$name.txt"; done
ls -l "$fonts"
