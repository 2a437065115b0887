"""A headless Chromium, spoken to through two pipes: nothing but the browser is needed, and no network."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_OPTIONS = """
    --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync --remote-debugging-pipe
""".split()


class Page:
    """The one page of a browser; commands are those of the Chrome DevTools protocol."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands = commands
        self._answers = answers
        self._received = b""
        self._count = 0
        self._session: dict[str, str] = {}
        (page,) = [one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page"]
        attached = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self._session = {"sessionId": attached["sessionId"]}

    def call(self, method: str, **params: Any) -> Any:
        """The result of one command."""
        self._count += 1
        command = {"id": self._count, "method": method, "params": params, **self._session}
        os.write(self._commands, json.dumps(command).encode() + b"\0")
        while (answer := self._next()).get("id") != self._count:
            pass
        assert "error" not in answer, answer
        return answer["result"]

    def open(self, url: str) -> None:
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)

    def evaluate(self, script: str) -> Any:
        """The value of a JavaScript expression in the page; None where it fails, as it does while the page loads."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        return None if "exceptionDetails" in answer else answer["result"].get("value")

    def wait_for(self, script: str, *, seconds: float = 60) -> Any:
        """The value of an expression once it is true."""
        deadline = time.monotonic() + seconds
        while not (value := self.evaluate(script)):
            assert time.monotonic() < deadline, f"not within {seconds} s: {script}"
            time.sleep(0.1)
        return value

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._received:
            received = os.read(self._answers, 1 << 16)
            assert received, "the browser ended"
            self._received += received
        message, _, self._received = self._received.partition(b"\0")
        return dict(json.loads(message))


@contextmanager
def open_browser(program: str) -> Iterator[Page]:
    """A browser of its own, with nothing remembered."""
    reads, commands = os.pipe()
    answers, writes = os.pipe()
    # The browser reads file 3 and writes file 4; neither may be one of ours that is still needed.
    far_reads, far_writes = (fcntl.fcntl(one, fcntl.F_DUPFD_CLOEXEC, 10) for one in (reads, writes))
    files = [
        (os.POSIX_SPAWN_DUP2, far_reads, 3),
        (os.POSIX_SPAWN_DUP2, far_writes, 4),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        arguments = [program, *_OPTIONS, f"--user-data-dir={directory}", "about:blank"]
        process = os.posix_spawn(program, arguments, os.environ, file_actions=files)
        for one in (reads, writes, far_reads, far_writes):
            os.close(one)
        try:
            yield Page(commands, answers)
        finally:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            os.close(commands)
            os.close(answers)
