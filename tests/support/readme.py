"""What the READMEs show of a run: excerpts of `make demo`, and commands with their answers."""

from __future__ import annotations

import json
import re
import shlex
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
READMES = ("README.md", "README.zh-CN.md")
PRETTY = "python3 -m json.tool --no-ensure-ascii"


def fenced(readme: str, mark: str) -> list[str]:
    """The lines of every block fenced with this mark."""
    text = (ROOT / readme).read_text("utf-8")
    return [line for block in re.findall(rf"^```{mark}\n(.*?)^```", text, re.M | re.S) for line in block.splitlines()]


def missing(shown: Iterable[str], output: str) -> list[str]:
    """The lines that do not stand in the output, in this order."""
    lines = iter(output.splitlines())
    return [line for line in shown if line not in lines]


def console(readme: str) -> Iterator[tuple[str, str]]:
    """Each command after a prompt, and what it answers."""
    text = "\n".join(fenced(readme, "console"))
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command = re.match(r"(?:.*\\\n)*.*", part)
        assert command is not None
        yield command.group().replace("\\\n", " "), part[command.end() :].strip("\n")


def curl(command: str, base: str, variables: Mapping[str, str]) -> str:
    """What a curl of the README prints, asked of `base`; the machine need not have curl."""
    command, _, pipe = (part.strip() for part in command.partition("|"))
    words = shlex.split(command)
    assert words[:2] == ["curl", "-s"]
    assert pipe in ("", PRETTY)
    rest, url, headers, data, form = iter(words[2:]), "", {}, None, ""
    for word in rest:
        match word:
            case "-H":
                name, _, value = next(rest).partition(": ")
                headers[name] = re.sub(r"\$(\w+)", lambda found: variables[found[1]], value)
            case "-d":
                data = next(rest).encode()
            case "-w":
                form = next(rest)
            case "-o":
                assert next(rest) == "/dev/null"
            case _:
                url = word.replace("http://127.0.0.1:8080", base)
    status, body = _ask(urllib.request.Request(url, data, headers))
    if form:
        return form.replace("%{http_code}", str(status)).replace("\\n", "\n").strip("\n")
    return json.dumps(json.loads(body), indent=4, ensure_ascii=False) if pipe else body


def _ask(request: urllib.request.Request) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
