"""A server below a path: every address that it gives stays below that path, behind a proxy that takes the path off."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from html import unescape
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx
import pytest
from websockets.sync.client import connect

from ludarium.arena.store.database import VARIABLE
from ludarium.errors import BadOption
from ludarium.web.addresses import serve_below
from ludarium.web.server import listen
from tests import folders
from tests.missing import need

Proxy = Callable[[int, Path], AbstractContextManager[str]]

ROOT = "/ludarium"
EXAMPLES = folders.ROOT / "examples/hosting"
SOURCES = Path(serve_below.__code__.co_filename).parent.parent
ADDRESS = re.compile(r'(?:href|src|action|data-module|data-style)="([^"]*)"')


@contextmanager
def server(folder: Path) -> Iterator[int]:
    """Run ``ludarium serve --root-path`` and yield its port."""
    command = [
        sys.executable,
        "-m",
        "ludarium",
        "serve",
        "--port",
        "0",
        "--data",
        str(folder),
        "--root-path",
        f"{ROOT}/",
        "--ladder",
        "expendibots",
    ]
    environment = {**os.environ, VARIABLE: str(folder / "store.sqlite")}  # in which nothing is that others have played
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            yield next(int(found[1]) for line in process.stdout if (found := re.search(r"http://127.0.0.1:(\d+)", line)))
        finally:
            process.terminate()


@contextmanager
def nginx(port: int, folder: Path) -> Iterator[str]:
    """Run nginx with the example's locations and yield its address."""
    found = (EXAMPLES / "nginx.conf").read_text().replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    own = free_port()
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(
        f"daemon off; user root; pid {folder}/pid; error_log {folder}/log; events {{}} http {{ access_log off; {temporary}\n"
        f"server {{ listen 127.0.0.1:{own};\n{found}\n}} }}".replace("user root;", "user root;" if os.getuid() == 0 else "")
    )
    with running(["nginx", "-e", f"{folder}/log", "-p", str(folder), "-c", str(folder / "nginx.conf")], own) as host:
        yield host


@contextmanager
def caddy(port: int, folder: Path) -> Iterator[str]:
    """Run Caddy with the example and yield its address."""
    found = (EXAMPLES / "Caddyfile").read_text().replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    own = free_port()
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n}}\n{found}".replace("\nexample.org {", f"\nhttp://127.0.0.1:{own} {{"))
    homes = {**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with running(["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"], own, homes) as host:
        yield host


@contextmanager
def running(command: list[str], port: int, env: dict[str, str] | None = None) -> Iterator[str]:
    """Run a proxy and yield its address once it answers."""
    need(command[0], command[0])
    with subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        try:
            with httpx.Client(transport=httpx.HTTPTransport(retries=6)) as client:  # waits longer each time, 15 s in all
                client.get(f"http://127.0.0.1:{port}/", timeout=60)
            yield f"127.0.0.1:{port}"
        finally:
            process.terminate()


def free_port() -> int:
    with closing(listen("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@contextmanager
def stripping(port: int, folder: Path) -> Iterator[str]:
    """Pass on what is asked below ROOT, without it, one request for each connection; anything else is 404. Yield the proxy's address."""

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(65536):
            writer.write(piece)
        writer.write_eof()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        method, path, version = (await reader.readline()).decode().split()
        if not path.startswith(f"{ROOT}/"):
            writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        else:
            inner, outer = await asyncio.open_connection("127.0.0.1", port)
            outer.write(f"{method} {path.removeprefix(ROOT)} {version}\r\n".encode())
            pumping = asyncio.create_task(pump(reader, outer))
            await pump(inner, writer)
            pumping.cancel()
            outer.close()
        writer.close()

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        opened = asyncio.run_coroutine_threadsafe(asyncio.start_server(serve, "127.0.0.1", 0), loop).result()
        yield f"127.0.0.1:{opened.sockets[0].getsockname()[1]}"
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@pytest.mark.parametrize("proxy", [stripping, nginx, caddy])
def test_every_address_stays_below_the_root_path(proxy: Proxy, tmp_path: Path) -> None:
    """Takes seconds: it starts a server and asks for every page that another one leads to."""
    with server(tmp_path) as port, proxy(port, tmp_path) as host, httpx.Client(headers={"Connection": "close"}, timeout=60) as client:
        here = f"http://{host}{ROOT}"
        made = client.post(f"{here}/api/games", json={"game": "expendibots", "players": ["human", "random"]}).json()
        assert made["watch"].startswith(f"{ROOT}/game/"), made
        first = client.get(f"{here}/")
        assert f"Path={ROOT}/;" in first.headers["Set-Cookie"]
        assert client.get(f"{here}/openapi.json").json()["servers"] == [{"url": ROOT}]
        moved = client.get(f"{here}/people/")
        assert urlsplit(moved.headers["Location"]).path == f"{ROOT}/people"
        told = client.get(f"{here}/api/nothing")
        assert (told.status_code, told.json()["code"]) == (404, "bad_message")
        embedded = client.get(f"{here}/embed/{made['id']}")
        assert "Set-Cookie" not in embedded.headers
        assert "frame-ancestors *" in embedded.headers["Content-Security-Policy"]

        found = {f"{ROOT}/", f"{ROOT}/embed/{made['id']}", made["watch"], f"{ROOT}/continue", f"{ROOT}/design"}
        waiting = sorted(found)
        while waiting:
            page = waiting.pop()
            answer = client.get(f"http://{host}{page}")
            assert answer.status_code == 200, page
            if not answer.headers["Content-Type"].startswith("text/html"):
                continue
            assert f'data-root="{ROOT}"' in answer.text, page
            for mapped in re.findall(r'"importmap">(.*?)</script>', answer.text):
                assert json.loads(mapped)["imports"]["/static/"].startswith(f"{ROOT}/kept/")
            for address in map(unescape, ADDRESS.findall(answer.text)):
                url = urlsplit(urljoin(f"http://{host}{page}", address))
                if url.netloc != host or not address or address.startswith("#"):
                    continue
                assert url.path.startswith(f"{ROOT}/"), f"{page} leads to {address}"
                target = url.path + (f"?{url.query}" if url.query else "")
                if target not in found:
                    found.add(target)
                    waiting.append(target)
        assert f"{ROOT}/ladder/expendibots" in found
        assert len(found) > 15

        with connect(f"ws://{host}{ROOT}/api/games/{made['id']}/socket") as socket:
            socket.send(json.dumps({"type": "join", "version": 1}))
            welcome = json.loads(socket.recv(60))
        assert welcome["type"] == "welcome"


def test_what_a_page_or_module_says_is_put_below_the_root_path() -> None:
    """Pages and modules name no path of the server themselves: ``at`` and ``ask`` put it below the root path."""
    said = []
    for path in sorted(SOURCES.rglob("*.js")):
        for line in path.read_text(encoding="utf-8").splitlines():
            code = re.sub(r'\b(?:at|ask)\((["`])/|from "/static/|^\s*(?://|/?\*).*|\s//.*', "", line)
            said += [
                f"{path.name}: {line.strip()}"
                for _ in re.findall(r"""["`]/[a-z$]|(?:href|location)\W{1,3}"/|\$\{location\.(?:host|origin)\}/""", code)
            ]
    for path in sorted((*SOURCES.glob("web/templates/*.html"), *SOURCES.glob("labs/**/*.html"))):
        said += [f"{path.name}: {address}" for address in re.findall(r'(?:href|src|action)="(/[^"]*)"', path.read_text(encoding="utf-8"))]
    allowed = ("organiser.js:", "lobby.js:")  # parts of addresses that are put together there
    assert [each for each in said if not each.startswith(allowed)] == []


@pytest.mark.parametrize("path", ["ludarium", "/a b", "//host", "/../up", "/a?b", "https://host/"])
def test_what_is_no_root_path_is_refused(path: str) -> None:
    with pytest.raises(BadOption, match="root-path"):
        serve_below(path)


def test_the_page_about_hosting_shows_the_examples() -> None:
    page = (folders.ROOT / "docs/hosting.md").read_text()
    for name in ("nginx.conf", "Caddyfile"):
        configuration = "".join(line for line in (EXAMPLES / name).read_text().splitlines(keepends=True) if not line.startswith("#"))
        assert configuration in page, name
