# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# node: worker threads with shared memory, children, streams, watching, a
# server on a socket file of its own.
needs node

inside()
{
	cat >work.js <<'END'
const { Worker, isMainThread, workerData } = require("worker_threads");
const { execFileSync, fork } = require("child_process");
const fs = require("fs");
const net = require("net");
const assert = require("assert");

function add(shared) {
  const counter = new Int32Array(shared);
  for (let i = 0; i < 1000; i++)
    Atomics.add(counter, 0, 1);
}

async function main() {
  const shared = new SharedArrayBuffer(4);
  await Promise.all([1, 2, 3].map(() => new Promise((done, fail) => {
    new Worker(__filename, { workerData: shared })
      .on("error", fail).on("exit", done);
  })));
  assert.equal(new Int32Array(shared)[0], 3000);
  assert.equal(execFileSync("sh", ["-c", "cat"], { input: "piped" }), "piped");

  const child = fork(__filename, ["child"]);
  child.send("ping");
  const answer = await new Promise(done => child.once("message", done));
  assert.equal(answer, "pong");

  const seen = new Promise(done => {
    const watcher = fs.watch(".", (event, file) => {
      if (file === "watched") { watcher.close(); done(); }
    });
  });
  await fs.promises.writeFile("watched", "x".repeat(1 << 20));
  await seen;
  await fs.promises.cp("watched", "copied");
  await fs.promises.rename("copied", "renamed");

  const big = fs.createReadStream("renamed").pipe(fs.createWriteStream("out"));
  await new Promise(done => big.on("finish", done));
  assert.equal(fs.statSync("out").size, 1 << 20);

  const server = net.createServer(s => s.end("hello")).listen("./sock");
  await new Promise(done => server.on("listening", done));
  let text = "";
  for await (const part of net.connect("./sock").setEncoding("utf8"))
    text += part;
  assert.equal(text, "hello");
  server.close();
  console.log("done");
  process.exit(0);
}

if (!isMainThread)
  add(workerData);
else if (process.argv[2] === "child")
  process.once("message", () => process.send("pong", () => process.exit(0)));
else
  main().catch(e => { console.error(e); process.exit(1); });
END
	node work.js
}

outside()
{
	test "$(cat "$OUT")" = "done"
}
