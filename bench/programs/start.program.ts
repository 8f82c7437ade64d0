/**
 * CPU seconds until it is ready, of each process that people start, with its threads and the processes that it has waited for; with the Node
 * that runs the bench, and with that of `--other-node`. One after the other: CPU time also depends on what else runs.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pidOf, repositoryRoot, stop } from '../child.js';
import { cpuSecondsOf, cpuSecondsOfEnded } from '../measure/process-usage.js';
import { nodeTitle } from '../node-title.js';
import { allNodes, startRelay } from '../targets/ferry.js';
import { startLoneNode } from '../targets/lone-node.js';
import { startPostgres, type RunningPostgres } from '../targets/postgres.js';

const ferry = path.join(repositoryRoot, 'bin/ferry.js');
/** When a service has kept its compiled code for the next start (bin/load-bundle.js), and a little more. */
const KEPT_MS = 6_000;
const POLL_MS = 20;
/** The least of these counts: whatever else runs only adds. */
const STARTS = 3;

/** @returns of one start of a relay, and of the next one with the same data */
async function relayStarts(
  node: string,
  directory: string,
  postgres?: RunningPostgres,
): Promise<readonly [number, number]> {
  mkdirSync(directory);
  const starts = async (): Promise<number> => {
    const { relay } = await startRelay(repositoryRoot, directory, postgres, { node });
    const seconds = cpuSecondsOf(pidOf(relay));
    await delay(KEPT_MS);
    await stop(relay);
    return seconds;
  };
  return [await starts(), await starts()];
}

/** @returns of one start of a node until the relay has its link */
async function nodeStart(node: string, directory: string, postgres: RunningPostgres): Promise<number> {
  mkdirSync(directory);
  const { relay, credentials } = await startRelay(repositoryRoot, directory, postgres, { node });
  const started = await startLoneNode(node, path.join(directory, 'node'), credentials);
  const isOnline = async (): Promise<boolean> => {
    for await (const { online } of allNodes(credentials)) if (online) return true;
    return false;
  };
  while (!(await isOnline())) await delay(POLL_MS);
  const seconds = cpuSecondsOf(pidOf(started));
  await stop(started);
  await stop(relay);
  return seconds;
}

async function commandOf(node: string, directory: string, words: readonly string[]): Promise<number> {
  const before = cpuSecondsOfEnded(process.pid);
  const env = { ...process.env, HOME: directory, FERRY_DATA_DIR: directory, FERRY_CONFIG_DIR: directory };
  await once(spawn(node, [ferry, ...words], { env, stdio: 'ignore' }), 'exit');
  return cpuSecondsOfEnded(process.pid) - before;
}

async function startsOf(node: string): Promise<Readonly<Record<string, number>>> {
  const title = nodeTitle(node);
  const directory = mkdtempSync(path.join(tmpdir(), 'ferry-start-'));
  const least: Record<string, number> = {};
  const note = (name: string, seconds: number): void => {
    const key = `${title}: ${name}, CPU s`;
    least[key] = Math.min(least[key] ?? Infinity, seconds);
  };
  for (let start = 0; start < STARTS; start += 1) {
    const postgres = await startPostgres();
    const [first, later] = await relayStarts(node, path.join(directory, `embedded-${start}`));
    note('relay with the embedded database, new data', first);
    note('relay with the embedded database', later);
    const [empty, migrated] = await relayStarts(node, path.join(directory, `relay-${start}`), postgres);
    note('relay on Postgres, new data', empty);
    note('relay on Postgres', migrated);
    note('node without the built-in engine', await nodeStart(node, path.join(directory, `node-${start}`), postgres));
    await postgres.stop();
    note('ferry --version', await commandOf(node, directory, ['--version']));
    note('ferry models, not signed in', await commandOf(node, directory, ['models']));
  }
  rmSync(directory, { recursive: true, force: true });
  return least;
}

const other = process.env['BENCH_OTHER_NODE'];
const figures: Record<string, number> = {};
for (const node of [process.execPath, ...(other === undefined ? [] : [other])])
  Object.assign(figures, await startsOf(node));
process.send?.({ reply: figures as unknown });
process.on('disconnect', () => process.exit(0));
