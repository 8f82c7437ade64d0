/**
 * Loaded into a process with `--import`: reports, over a local socket, how many bytes the process allocated on its heap between `start`
 * and `stop`, including bytes collected since. V8 samples about every {@link INTERVAL_BYTES}, so the cost is low.
 * `live` collects all garbage and reports the bytes still in use, on the heap and off-heap. `resident` reports the resident bytes
 * without the young generation: V8 lets that grow to 32 MiB on Node 20 and to 128 MiB on Node 24, at an unpredictable time and whatever
 * it contains. `waste` makes every write to a socket allocate more.
 */
import inspector from 'node:inspector/promises';
import { createServer, Socket } from 'node:net';
import { getHeapSpaceStatistics } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

const INTERVAL_BYTES = 2_048;
const LISTED = 12;

const session = new inspector.Session();
session.connect();

/** Each node of the tree has the bytes that its own function allocated. */
const flatten = (node) => [node, ...node.children.flatMap(flatten)];

async function stop() {
  const { profile } = await session.post('HeapProfiler.stopSampling');
  const byFunction = new Map();
  let bytes = 0;
  for (const { selfSize, callFrame } of flatten(profile.head)) {
    bytes += selfSize;
    const place = `${callFrame.functionName || '(anonymous)'} ${callFrame.url.replace(/^.*\/(node_modules|dist)\//, '')}:${callFrame.lineNumber + 1}`;
    byFunction.set(place, (byFunction.get(place) ?? 0) + selfSize);
  }
  const top = [...byFunction].sort(([, a], [, b]) => b - a).slice(0, LISTED);
  return { bytes, top };
}

const start = () =>
  session.post('HeapProfiler.startSampling', {
    samplingInterval: INTERVAL_BYTES,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });

async function live() {
  await session.post('HeapProfiler.collectGarbage');
  const { heapUsed, external } = process.memoryUsage();
  return { bytes: heapUsed + external, top: [] };
}

function resident() {
  const young = getHeapSpaceStatistics().filter(({ space_name: name }) => name.startsWith('new_'));
  const youngBytes = young.reduce((sum, { physical_space_size: size }) => sum + size, 0);
  return { bytes: process.memoryUsage.rss() - youngBytes, top: [] };
}

const commands = { start, stop, live, resident, waste };

const server = createServer((socket) => {
  socket.on('data', async (text) => {
    const response = await commands[String(text)]();
    socket.end(JSON.stringify(response ?? {}));
  });
  socket.on('error', () => undefined);
});
// Workers and short commands with the same environment load this as well; only the long-running program is measured.
if (isMainThread && ['serve', 'run'].includes(process.argv.at(-1))) {
  server.listen(process.env.ALLOCATION_METER_SOCKET);
  server.unref();
}

/** Proves that the gate can fail: from now on, 200 additional numbers for every write to a socket. */
function waste() {
  const { _writeGeneric: write } = Socket.prototype;
  Socket.prototype._writeGeneric = function (...args) {
    globalThis.wasted = Array.from({ length: 200 }, (_unused, index) => index + 0.5);
    return write.apply(this, args);
  };
}
