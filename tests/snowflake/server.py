"""python -m tests.snowflake.server: the stand-in for Snowflake, until its standard input ends."""

from __future__ import annotations

import gzip
import json
import logging
import os
import shutil
import socket
import sys
import threading
import warnings
from collections.abc import Awaitable, Callable
from typing import Any

warnings.simplefilter("ignore")

import fakesnow.arrow  # noqa: E402
import fakesnow.server  # noqa: E402
import uvicorn  # noqa: E402
from fakesnow.transforms import stage  # noqa: E402
from starlette.applications import Starlette  # noqa: E402
from starlette.requests import Request  # noqa: E402
from starlette.responses import JSONResponse  # noqa: E402
from starlette.routing import Route  # noqa: E402

from tests.snowflake.account import Account, Session  # noqa: E402
from tests.snowflake.moments import moments_with_nulls  # noqa: E402
from tests.snowflake.stage_files import download  # noqa: E402

Endpoint = Callable[[Request], Awaitable[JSONResponse]]


async def login(request: Request) -> JSONResponse:
    """Documented: a session has a master token; without one the client never ends its session."""
    response = await fakesnow.server.login_request(request)
    content = json.loads(response.body)
    if content.get("success"):
        data = content["data"]
        session: Session = fakesnow.server.sessions[data["token"]]
        environment = (await _body(request))["data"].get("CLIENT_ENVIRONMENT") or {}
        session.application = environment.get("APPLICATION") or "?"
        data |= {
            "masterToken": data["token"],
            "sessionId": session.number,
            "validityInSeconds": 86400,
            "masterValidityInSeconds": 86400,
        }
    return JSONResponse(content)


async def query(request: Request) -> JSONResponse:
    """A failed statement is an answer: the connector sends again what got an HTTP 500, for minutes."""
    session: Session = fakesnow.server.to_conn(fakesnow.server.to_token(request))
    found = download(session, (await _body(request))["sqlText"])
    if found:
        return JSONResponse({"data": found, "success": True})
    try:
        response = await fakesnow.server.query_request(request)
        content = json.loads(response.body)
    except Exception as error:
        content = {"message": f"{type(error).__name__}: {error}", "success": False}
        response = JSONResponse(content, status_code=500)
    if response.status_code == 500:
        code = "990001"
        return JSONResponse({**content, "code": code, "data": {"errorCode": code, "sqlState": "58000"}})
    return response


async def end_session(request: Request) -> JSONResponse:
    if request.query_params.get("delete"):
        session = fakesnow.server.sessions.get(fakesnow.server.to_token(request))
        if session:
            session.end()
            session.account.sessions.remove(session)
    return await fakesnow.server.session(request)


async def reset(request: Request) -> JSONResponse:
    fakesnow.server.shared_fs.close()
    fakesnow.server.sessions.clear()
    fakesnow.server.shared_fs = Account()
    return JSONResponse("done")


async def statements(request: Request) -> JSONResponse:
    return JSONResponse(fakesnow.server.shared_fs.statements)


async def before(request: Request) -> JSONResponse:
    parameters = request.query_params
    fakesnow.server.shared_fs.interruptions.append((parameters["text"].lower(), parameters["sql"]))
    return JSONResponse("done")


async def _body(request: Request) -> Any:
    body = await request.body()
    return json.loads(gzip.decompress(body) if request.headers.get("Content-Encoding") == "gzip" else body)


def main() -> None:
    """Listen on a free port of the loopback address, and say which."""
    logging.disable(logging.CRITICAL)
    fakesnow.server.shared_fs.duck_conn.close()
    fakesnow.server.shared_fs = Account()
    fakesnow.arrow.timestamp_to_sf_struct = moments_with_nulls
    own = [
        Route("/session/v1/login-request", login, methods=["POST"]),
        Route("/queries/v1/query-request", query, methods=["POST"]),
        Route("/session", end_session, methods=["POST"]),
        Route("/stand-in/reset", reset),
        Route("/stand-in/statements", statements),
        Route("/stand-in/before", before),
    ]
    # The first route that fits is taken.
    app = Starlette(routes=[*own, *fakesnow.server.routes])
    # With its protocol named: asyncio sends small answers at once only on sockets that say they are TCP.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical"))
        threading.Thread(target=_stop_with_input, args=[server], daemon=True).start()
        print("listening", listening.getsockname()[1], flush=True)
        server.run(sockets=[listening])
    shutil.rmtree(stage.LOCAL_BUCKET_PATH, ignore_errors=True)


def _stop_with_input(server: uvicorn.Server) -> None:
    sys.stdin.read()
    server.should_exit = True
    server.force_exit = True


if __name__ == "__main__":
    main()
    # Threads of the pool may still wait for a client that is gone.
    os._exit(0)
