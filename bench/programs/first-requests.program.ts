/**
 * The first 200 small requests after a start of the relay, one after the other, and as many once it is warm: CPU of the relay, with its embedded
 * database, and time for the client. With the Node that runs the bench, and with that of `--other-node`.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startProgram, stop } from '../child.js';
import { cpuSecondsOf } from '../measure/process-usage.js';
import { nodeTitle } from '../node-title.js';
import { ferryWith } from '../targets/ferry.js';
import type { RunningTarget } from '../targets/target.js';

const FIRST = 200;
const WARM_UP = 4_000;
const MESSAGE_BYTES = 120;

const body = JSON.stringify({
  model: 'bench',
  messages: [{ role: 'user', content: 'x'.repeat(MESSAGE_BYTES) }],
});

/** @returns milliseconds until the response is there */
async function ask({ url, headers }: RunningTarget): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  await response.text();
  if (response.status !== 200) throw new Error(`the relay answered ${response.status}`);
  return performance.now() - startedAt;
}

interface Cost {
  readonly relayMs: number;
  readonly clientMs: number;
}

/** @returns CPU for each of 200 requests, and the median of their times */
async function costOf(relay: RunningTarget): Promise<Cost> {
  const cpuSeconds = (): number => relay.relayPids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
  const before = cpuSeconds();
  const times: number[] = [];
  for (let n = 0; n < FIRST; n += 1) times.push(await ask(relay));
  times.sort((a, b) => a - b);
  return { relayMs: ((cpuSeconds() - before) * 1_000) / FIRST, clientMs: times[FIRST / 2] ?? Number.NaN };
}

/** @param node that runs the relay */
async function firstRequests(engineUrl: string, node: string): Promise<Record<string, number>> {
  const directory = mkdtempSync(path.join(tmpdir(), 'ferry-first-'));
  const relay = await ferryWith('Ferry', { serving: 1, database: 'embedded', node }).start(engineUrl, directory);
  const first = await costOf(relay);
  for (let n = 0; n < WARM_UP; n += 1) await ask(relay);
  const warm = await costOf(relay);
  await relay.stop();
  rmSync(directory, { recursive: true, force: true });
  const title = nodeTitle(node);
  return {
    [`${title}: first, relay CPU ms`]: first.relayMs,
    [`${title}: warm, relay CPU ms`]: warm.relayMs,
    [`${title}: first, client ms`]: first.clientMs,
    [`${title}: warm, client ms`]: warm.clientMs,
  };
}

const engine = startProgram('engine/mock-engine.program.ts');
const [{ port }] = (await once(engine, 'message')) as [{ port: number }];
const other = process.env['BENCH_OTHER_NODE'];
const figures: Record<string, number> = {};
// One after the other: CPU time also depends on what else runs.
for (const node of [process.execPath, ...(other === undefined ? [] : [other])]) {
  Object.assign(figures, await firstRequests(`http://127.0.0.1:${port}`, node));
}
await stop(engine);
process.send?.({ reply: figures });
process.on('disconnect', () => process.exit(0));
