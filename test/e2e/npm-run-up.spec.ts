// Own processes: the start is what is tested.
/** `npm run up` itself. Runs alone, because it may install and build, which would disturb other tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { repositoryRoot } from '../support/process/ferry-process.js';

interface Started {
  readonly base_url: string;
  readonly api_key: string;
  readonly model: string;
}

const READY_WITHIN_MS = 60_000;

it('runs as `npm run up`, and Ctrl-C ends everything', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'ferry-up-'));
  const data = path.join(directory, 'data');
  const child = spawn('npm', ['run', 'up', '--', '--json', '--port', '0', '--data-dir', data], {
    cwd: repositoryRoot,
    // It uses its own database, whichever one the other tests use.
    env: { ...process.env, DATABASE_URL: undefined, FERRY_CONFIG_DIR: path.join(directory, 'config') },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.resume();
  const exit = once(child, 'exit');
  try {
    const ready = await eventually(
      'the JSON line',
      () => {
        const line = stdout.split('\n').find((candidate) => candidate.startsWith('{'));
        return line === undefined ? undefined : (JSON.parse(line) as Started);
      },
      READY_WITHIN_MS,
    );
    expect((await chat(ready)).status).toBe(200);
    // A terminal sends Ctrl-C to the whole group.
    process.kill(-child.pid!, 'SIGINT');
    const [code] = (await exit) as [number];
    expect(code).toBe(0);
    await eventually('nothing listens any more', () =>
      chat(ready).then(
        () => false,
        () => true,
      ),
    );
  } finally {
    if (child.exitCode === null && child.signalCode === null) {
      process.kill(-child.pid!, 'SIGKILL');
      await exit;
    }
    await rm(directory, { recursive: true, force: true });
  }
}, 120_000);

const chat = ({ base_url: base, api_key: key, model }: Started): Promise<Response> =>
  fetch(`${base}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, temperature: 0, messages: [{ role: 'user', content: 'Hello' }] }),
  });
