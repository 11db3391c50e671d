# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# multiprocessing: pools, locks and semaphores, queues, shared memory, all of
# its ways to start.

inside()
{
	cat >work.py <<'END'
import multiprocessing as mp
from multiprocessing import shared_memory

def add(counter, lock, queue):
    for _ in range(100):
        with lock:
            counter.value += 1
    queue.put(counter.value)

def square(n):
    return n * n

def fill(name):
    block = shared_memory.SharedMemory(name)
    block.buf[:4] = b"work"
    block.close()

def main():
    for method in ("fork", "spawn", "forkserver"):
        ctx = mp.get_context(method)
        with ctx.Pool(2) as pool:
            assert pool.map(square, range(20))[19] == 361
    ctx = mp.get_context("fork")
    counter, lock, queue = ctx.Value("i", 0), ctx.Lock(), ctx.Queue()
    barrier, gate = ctx.Barrier(1), ctx.BoundedSemaphore(2)
    workers = [ctx.Process(target=add, args=(counter, lock, queue))
               for _ in range(3)]
    for w in workers:
        w.start()
    assert max(queue.get() for _ in workers) == 300
    for w in workers:
        w.join()
    with gate:
        barrier.wait()
    block = shared_memory.SharedMemory(create=True, size=4096)
    child = ctx.Process(target=fill, args=(block.name,))
    child.start()
    child.join()
    assert bytes(block.buf[:4]) == b"work"
    block.close()
    block.unlink()
    with ctx.Manager() as manager:
        d = manager.dict()
        d["k"] = 1
        assert dict(d) == {"k": 1}

if __name__ == "__main__":
    main()
END
	py work.py
}
