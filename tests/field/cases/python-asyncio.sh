# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# asyncio: tasks, subprocesses, signals, threads, and servers on loopback and on
# a socket file.

inside()
{
	cat >work.py <<'END'
import asyncio
import os
import signal

async def echo(reader, writer):
    writer.write(await reader.readline())
    await writer.drain()
    writer.close()

async def ask(reader, writer):
    writer.write(b"hello\n")
    await writer.drain()
    line = await reader.readline()
    writer.close()
    return line

async def main():
    proc = await asyncio.create_subprocess_exec(
        "cat", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
    out, _ = await proc.communicate(b"x" * 300000)
    assert len(out) == 300000 and proc.returncode == 0
    loop = asyncio.get_running_loop()
    got = asyncio.Event()
    loop.add_signal_handler(signal.SIGUSR1, got.set)
    os.kill(os.getpid(), signal.SIGUSR1)
    await got.wait()
    assert await asyncio.to_thread(sum, range(10)) == 45
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    pairs = [await asyncio.open_connection("127.0.0.1", port)
             for _ in range(5)]
    assert await asyncio.gather(*(ask(*p) for p in pairs)) == [b"hello\n"] * 5
    server.close()
    local = await asyncio.start_unix_server(echo, "./sock")
    assert await ask(*await asyncio.open_unix_connection("./sock")) \
        == b"hello\n"
    local.close()

asyncio.run(main())
END
	py work.py
}
