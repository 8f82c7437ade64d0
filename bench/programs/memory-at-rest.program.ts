/**
 * Resident memory after an idle minute: all that `npm run up` starts, a relay on Postgres, and a node without the built-in engine; then CPU and
 * wake-ups while they go on to rest. With the Node that runs the bench, and with that of `--other-node`.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pidOf, repositoryRoot, start, stop } from '../child.js';
import { cpuSecondsOf, processTree, proportionalBytesOf, residentBytesOf } from '../measure/process-usage.js';
import { nodeTitle } from '../node-title.js';
import { wakeUpsOf } from '../measure/wake-ups.js';
import { startRelay } from '../targets/ferry.js';
import { environment, startLoneNode } from '../targets/lone-node.js';
import { startPostgres } from '../targets/postgres.js';

const IDLE_MS = 60_000;
/** In which CPU and wake-ups are counted: as long as the longest of the timers that they are due to. */
const REST_MS = 60_000;
const megabytesOf = (pid: number): number => residentBytesOf(pid) / 1e6;

/** @returns when its one line of JSON says that the model is loaded */
async function startUp(node: string, directory: string): Promise<ChildProcess> {
  const up = start(node, [path.join(repositoryRoot, 'scripts/up.mjs'), '--port', '0', '--json'], {
    env: environment(directory),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (up.stdout === null) throw new Error('npm run up has no output');
  const ended = once(up, 'exit').then(() => Promise.reject(new Error('npm run up ended before it was ready')));
  await Promise.race([once(up.stdout, 'data'), ended]);
  return up;
}

/** @returns by process: share of a core, and wake-ups of all threads a second */
async function restOf(
  processes: Readonly<Record<string, readonly number[]>>,
): Promise<Readonly<Record<string, number>>> {
  const used = (pids: readonly number[]) => ({
    cpuSeconds: pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0),
    wakeUps: pids.reduce((sum, pid) => sum + wakeUpsOf(pid), 0),
  });
  const before = Object.entries(processes).map(([name, pids]) => ({ name, pids, from: used(pids) }));
  const begin = performance.now();
  await delay(REST_MS);
  const seconds = (performance.now() - begin) / 1_000;
  return Object.fromEntries(
    before.flatMap(({ name, pids, from }) => {
      const to = used(pids);
      return [
        [`${name}, % of a core`, ((to.cpuSeconds - from.cpuSeconds) / seconds) * 100],
        [`${name}, wake-ups/s`, (to.wakeUps - from.wakeUps) / seconds],
      ];
    }),
  );
}

/** @returns figures by process */
async function atRest(node: string): Promise<Readonly<Record<string, number>>> {
  const title = nodeTitle(node);
  const directory = mkdtempSync(path.join(tmpdir(), 'ferry-memory-'));
  const folder = (name: string): string => {
    const created = path.join(directory, name);
    mkdirSync(created);
    return created;
  };
  const up = await startUp(node, folder('up'));
  const postgres = await startPostgres();
  const relay = await startRelay(repositoryRoot, folder('relay'), postgres, { node });
  const agent = await startLoneNode(node, folder('node'), relay.credentials);

  await delay(IDLE_MS);
  // The supervisor starts the relay first, and the node when the relay is ready.
  const [supervisor, ...children] = processTree(pidOf(up)).sort((a, b) => a - b);
  const [embedded, builtIn] = children;
  if (supervisor === undefined || embedded === undefined || builtIn === undefined || children.length > 2)
    throw new Error(`npm run up has ${children.length} child processes instead of relay and node`);
  const figures: Record<string, number> = {
    [`${title}: npm run up, MB`]: proportionalBytesOf([supervisor, embedded, builtIn]) / 1e6,
    [`${title}: npm run up, shared pages counted in each, MB`]:
      megabytesOf(supervisor) + megabytesOf(embedded) + megabytesOf(builtIn),
    [`${title}: its supervisor, MB`]: megabytesOf(supervisor),
    [`${title}: its relay with the embedded database, MB`]: megabytesOf(embedded),
    [`${title}: its node with the built-in engine, MB`]: megabytesOf(builtIn),
    [`${title}: relay on Postgres, MB`]: megabytesOf(pidOf(relay.relay)),
    [`${title}: node without the built-in engine, MB`]: megabytesOf(pidOf(agent)),
  };
  const rest = await restOf({
    'npm run up': [supervisor, embedded, builtIn],
    'its relay with the embedded database': [embedded],
    'its node with the built-in engine': [builtIn],
    'relay on Postgres': [pidOf(relay.relay)],
    'node without the built-in engine': [pidOf(agent)],
  });
  for (const [name, value] of Object.entries(rest)) figures[`${title}: ${name}`] = value;
  await Promise.all([stop(up, 'SIGINT'), stop(agent)]);
  await stop(relay.relay);
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
  return figures;
}

const other = process.env['BENCH_OTHER_NODE'];
const figures = await Promise.all([process.execPath, ...(other === undefined ? [] : [other])].map(atRest));
process.send?.({ reply: Object.assign({}, ...figures) as unknown });
process.on('disconnect', () => process.exit(0));
