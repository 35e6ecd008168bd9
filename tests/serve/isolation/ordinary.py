"""What ordinary tools do with the standard library."""

import asyncio
import concurrent.futures
import locale
import mimetypes
import multiprocessing
import multiprocessing.shared_memory
import os
import pathlib
import shutil
import socket
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import traceback
import zoneinfo

from tooldock import tool


def double(number: int) -> int:
    return 2 * number


def certificates():
    assert ssl.create_default_context().get_ca_certs() is not None
    ssl.create_default_context(cafile=None)


def zones():
    assert zoneinfo.ZoneInfo("Europe/Berlin").key


def texts():
    locale.setlocale(locale.LC_ALL, "")
    assert mimetypes.guess_type("a.png")[0] == "image/png"


def names():
    assert socket.getaddrinfo("localhost", 80)
    assert pathlib.Path.home().is_dir()


def files():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "a")
        path.write_text("a")
        shutil.move(path, pathlib.Path.home() / "moved")
    with sqlite3.connect(pathlib.Path.home() / "data.db") as base:
        base.execute("create table if not exists t (x)")


def programs():
    assert subprocess.run(["/bin/sh", "-c", "echo hello"], capture_output=True).stdout == b"hello\n"
    code = "import json, ssl; print('inner')"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"inner\n"


def pools():
    for method in ("fork", "spawn", "forkserver"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            assert pool.map(double, [1, 2, 3]) == [2, 4, 6], method
    with concurrent.futures.ProcessPoolExecutor(2) as executor:
        assert executor.submit(double, 4).result() == 8


def shared():
    block = multiprocessing.shared_memory.SharedMemory(create=True, size=4096)
    block.buf[0] = 1
    block.close()
    block.unlink()


def machine():
    assert "MemTotal" in pathlib.Path("/proc/meminfo").read_text()
    assert os.cpu_count()
    assert "VmRSS" in pathlib.Path("/proc/self/status").read_text()


@tool
def everything() -> list[str]:
    """Do each thing once and tell what failed."""
    failed = []
    for thing in (certificates, zones, texts, names, files, programs, pools, shared, machine):
        try:
            thing()
        except BaseException:
            failed.append(f"{thing.__name__}: {traceback.format_exc()}")
    return failed


@tool
async def asynchronous() -> str:
    process = await asyncio.create_subprocess_exec("echo", "hello", stdout=subprocess.PIPE)
    told, _ = await process.communicate()
    return told.decode().strip()
