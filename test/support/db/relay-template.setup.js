/**
 * Before the end-to-end suites: one relay creates and migrates an embedded database, stops cleanly, and leaves its directory
 * for every test to copy. A cold database takes seconds, a copy a tenth of one; the next run of the same build finds it there.
 * Plain JavaScript: Jest runs it untransformed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { timeFactor } from '../../runner/time-factor.js';

const root = path.resolve(import.meta.dirname, '../../..');
const artifacts = path.join(root, '.test-artifacts');
const data = path.join(artifacts, 'relay-template-data');
const template = path.join(artifacts, 'relay-template');
const madeBy = path.join(artifacts, 'relay-template-made-by');
const credentials = path.join(data, 'credentials.json');
const READY_WITHIN_MS = 60_000;

export default async function setup() {
  if (!existsSync(path.join(root, 'dist/.built'))) throw new Error('not built: run `npm run build` first');
  const build = String(statSync(path.join(root, 'dist/.built')).mtimeMs);
  if (existsSync(template) && existsSync(madeBy) && readFileSync(madeBy, 'utf8') === build) return;
  rmSync(madeBy, { force: true });
  rmSync(data, { recursive: true, force: true });
  rmSync(template, { recursive: true, force: true });
  mkdirSync(data, { recursive: true });
  const relay = spawn(process.execPath, [path.join(root, 'bin/ferry.js'), 'serve'], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      FERRY_PORT: '0',
      FERRY_DATA_DIR: data,
      FERRY_CONFIG_DIR: data,
      FERRY_BOOTSTRAP_CREDENTIALS_FILE: credentials,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  relay.stderr.setEncoding('utf8').on('data', (text) => (log += text));
  const exited = once(relay, 'exit');
  const end = performance.now() + READY_WITHIN_MS * timeFactor;
  while (!(await ready())) {
    if (relay.exitCode !== null || performance.now() > end) {
      relay.kill('SIGKILL');
      throw new Error(`the template relay did not start:\n${log}`);
    }
    await delay(50);
  }
  relay.kill('SIGTERM');
  await exited;
  renameSync(path.join(data, 'relay'), template);
  rmSync(data, { recursive: true, force: true });
  writeFileSync(madeBy, build);
}

const ready = async () => {
  try {
    const { base_url: baseUrl } = JSON.parse(readFileSync(credentials, 'utf8'));
    return (await fetch(`${baseUrl}/readyz`)).ok;
  } catch {
    return false;
  }
};
