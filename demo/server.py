"""HTTP/1.1 on loopback: requests in, answers out. What an answer says is the business of the sandbox."""

from __future__ import annotations

import logging
import socket
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from demo.answers import Answer

logger = logging.getLogger(__name__)


class Call(NamedTuple):
    """One HTTP request as it came in."""

    method: str
    path: str
    authorization: str
    body: bytes


# Entered with a call, yields its answer, and is left once the answer is sent.
Answering = Callable[[Call], AbstractContextManager[Answer]]


class Server(ThreadingHTTPServer):
    """A server on 127.0.0.1 that answers with `answering` and can be stopped at once, clients connected or not."""

    # server_close() then waits for every thread, so none is left when a test ends.
    daemon_threads = False
    request_queue_size = 64

    def __init__(self, port: int, answering: Answering) -> None:
        self.answering = answering
        self.closing = threading.Event()
        self._connections: set[Any] = set()
        super().__init__(("127.0.0.1", port), _Handler)

    def start(self) -> None:
        """Serves in a thread of its own."""
        threading.Thread(target=self.serve_forever, args=(0.02,), name="gladly-sandbox").start()

    def stop(self) -> None:
        """Hangs up on everybody and waits until all threads are done."""
        self.closing.set()
        self.shutdown()
        for connection in list(self._connections):
            # The client may have been quicker.
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self.server_close()

    def get_request(self) -> tuple[Any, Any]:
        connection, address = super().get_request()
        self._connections.add(connection)
        return connection, address

    def shutdown_request(self, request: Any) -> None:
        self._connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client may hang up whenever it likes; anything else is a bug of ours and is printed with its trace."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    # Headers and body leave together, so no answer waits for an acknowledgement.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the base class's
        logger.info(format, *args)

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        call = Call(self.command, self.path, self.headers.get("Authorization", ""), body)
        with self.server.answering(call) as answer:
            if answer.delay and self.server.closing.wait(answer.delay):
                self.close_connection = True
                return
            self._send(answer)
            # The answer is on its way before its place among those at once is given up.
            self.wfile.flush()

    def _send(self, answer: Answer) -> None:
        pieces = (answer.body,) if isinstance(answer.body, bytes) else answer.body
        size = len(answer.body) if isinstance(answer.body, bytes) else answer.size
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if size is None:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(size))
        self.end_headers()
        if answer.cut_after is not None:
            self.wfile.write(answer.whole_body()[: answer.cut_after])
            self.close_connection = True
        elif size is None:
            self._send_chunks(pieces)
        else:
            self.wfile.writelines(pieces)

    def _send_chunks(self, pieces: Iterable[bytes]) -> None:
        for piece in pieces:
            # A chunk of no bytes would end the body.
            if piece:
                self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")
