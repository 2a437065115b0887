"""Where a value stands in an object: `items.content.to` is a key, `topics[]` the elements of a list themselves.

A list of mappings needs no marker: the fields of `items` are `items.id` whether `items` is one mapping or a list of
them. A key that would be misread (empty, with a dot, bracket, quote or backslash, not printable) is a JSON string.
"""

from __future__ import annotations

import json
import re

# None is the element of a list itself.
Step = str | None
Path = tuple[Step, ...]

_PLAIN = re.compile(r'[^\x00-\x1f\ud800-\udfff.\[\]"\\]+')
_STEP = re.compile(rf'(\[\])|(?:^|(?<=.)\.)(?:({_PLAIN.pattern})|("(?:[^"\\]|\\.)*"))')


def path_text(path: Path) -> str:
    """A path as people write it; '' is the root object."""
    text = ""
    for step in path:
        if step is None:
            text += "[]"
            continue
        name = step if _PLAIN.fullmatch(step) else json.dumps(step)
        text += f".{name}" if text else name
    return text


def parse_path(text: str) -> Path:
    """The path that `path_text` wrote as `text`; ValueError for any other spelling."""
    steps: list[Step] = []
    position = 0
    while position < len(text):
        match = _STEP.match(text, position)
        if not match:
            raise ValueError(f"{text!r} is not a path such as items.content or topics[]")
        element, plain, quoted = match.groups()
        steps.append(None if element else plain or json.loads(quoted))
        position = match.end()
    path = tuple(steps)
    if not path or path[0] is None or path_text(path) != text:
        raise ValueError(f"{text!r} is not a path such as items.content or topics[]")
    return path
