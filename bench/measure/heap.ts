/** Memory that a Node process still references, read through its inspector. One process at a time: they share a port. */
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';

const INSPECTOR = 'http://127.0.0.1:9229';
const OPENS_WITHIN_MS = 5_000;
const CLOSES_WITHIN_MS = 5_000;
/** After the response to this call: closing waits for connections to end. */
const CLOSES_INSPECTOR = `setTimeout(() => process.getBuiltinModule('node:inspector').close(), 100)`;

/**
 * Collects all garbage of the process first, which takes part of a second: only for after a window.
 * @returns bytes of the heap and of buffers outside it
 */
export async function referencedBytes(pid: number): Promise<number> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await inspectorOf());
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const call = (method: string, params: object = {}): Promise<{ result?: { value?: unknown } }> =>
    new Promise((resolve, reject) => {
      socket.once('close', () => {
        reject(new Error('the inspector closed'));
      });
      socket.once('message', (data: Buffer) =>
        resolve((JSON.parse(data.toString()) as { result: { result?: { value?: unknown } } }).result),
      );
      socket.send(JSON.stringify({ id: 1, method, params }));
    });
  try {
    await call('HeapProfiler.collectGarbage');
    const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())';
    return Number((await call('Runtime.evaluate', { expression, returnByValue: true })).result?.value);
  } finally {
    await call('Runtime.evaluate', { expression: CLOSES_INSPECTOR });
    socket.close();
    await portFree();
  }
}

/** Otherwise the next process could not open its inspector, and this one would be asked again. */
async function portFree(): Promise<void> {
  const end = performance.now() + CLOSES_WITHIN_MS;
  while (await fetch(`${INSPECTOR}/json`).catch(() => undefined)) {
    if (performance.now() > end) throw new Error('the inspector of the process did not close');
    await delay(50);
  }
}

async function inspectorOf(): Promise<string> {
  const end = performance.now() + OPENS_WITHIN_MS;
  for (;;) {
    try {
      const [target] = (await (await fetch(`${INSPECTOR}/json`)).json()) as { webSocketDebuggerUrl: string }[];
      if (target !== undefined) return target.webSocketDebuggerUrl;
    } catch {
      if (performance.now() > end) throw new Error('the inspector of the process did not open');
    }
    await delay(50);
  }
}
