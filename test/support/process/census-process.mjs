/**
 * Loaded into a relay or a node with `--import`: on request over a local socket, collects garbage, then counts the live objects of the
 * classes that a request creates, and the memory in use. Counting walks the heap, so nothing is retained or patched for it.
 */
import { rmSync } from 'node:fs';
import { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { queryObjects, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
const dist = new URL('../../../dist', import.meta.url);
const load = (file) => import(new URL(file, dist).href);

const countersOf = {
  serve: async () => {
    const { InferenceRequest } = await load('relay/routing/request/inference-request.js');
    const { Attempt } = await load('relay/routing/request/attempt.js');
    const { RelayStream } = await load('link/stream/relay-stream.js');
    const { ClientWriter } = await load('relay/platform/http/client-writer.js');
    const { processTimerWheel } = await load('relay/platform/timing/timer-wheel.js');
    const timer = processTimerWheel.schedule(0, () => undefined);
    timer.cancel();
    return {
      owners: InferenceRequest,
      slots: Attempt,
      streams: RelayStream,
      writers: ClientWriter,
      timers: timer.constructor,
      responses: ServerResponse,
    };
  },
  run: async () => {
    const { NodeStream } = await load('link/stream/node-stream.js');
    return { streams: NodeStream };
  },
};

async function census(counters) {
  // Callbacks of the next turns release what has just ended.
  for (let round = 0; round < 3; round += 1) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const counts = Object.fromEntries(
    Object.entries(counters).map(([name, type]) => [name, queryObjects(type, { format: 'count' })]),
  );
  const { rss, heapUsed, external } = process.memoryUsage();
  return { counts, rss, used: heapUsed + external };
}

const program = process.argv.at(-1);
// Workers and short commands with the same environment load this as well; only the long-running program is counted.
if (isMainThread && program in countersOf) {
  const counters = countersOf[program]();
  const socketPath = process.env.CENSUS_SOCKET;
  rmSync(socketPath, { force: true });
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    counters.then(census).then((response) => socket.end(JSON.stringify(response)));
  });
  server.listen(socketPath);
  server.unref();
}
