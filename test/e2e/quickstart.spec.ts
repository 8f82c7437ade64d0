// Own processes: the start is what is tested.
/** `ferry up` for a new user: one command, real tokens, and the same account at the next start. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readInstance } from '../../src/kernel/instance-lock.js';
import { networkAddresses } from '../../src/kernel/network-addresses.js';
import { eventually } from '../support/clock/eventually.js';
import { freshDatabase } from '../support/db/fresh-database.js';
import { freePort } from '../support/network/free-port.js';
import { ferry, FerryProcess, repositoryRoot } from '../support/process/ferry-process.js';
import { childrenOf, privateBytes } from '../support/process/process-memory.js';
import { timeFactor } from '../runner/time-factor.js';

interface Started {
  readonly base_url: string;
  readonly openai_base_url: string;
  readonly anthropic_base_url: string;
  readonly api_key: string;
  readonly console_url: string | null;
  readonly cluster_id: string;
  readonly node_id: string;
  readonly model: string | null;
}

const READY_WITHIN_MS = 60_000;

let directory: string;
let env: Record<string, string>;
const started: FerryProcess[] = [];

const openFolder = async (): Promise<void> => {
  directory = await mkdtemp(path.join(tmpdir(), 'ferry-up-'));
  env = { FERRY_CONFIG_DIR: path.join(directory, 'config') };
};

/** The first start in an empty directory makes a database, which takes seconds: one test is about that. */
const openMigrated = async (): Promise<void> => {
  await openFolder();
  for (const name of ['data', 'ferry']) await freshDatabase(path.join(directory, name), 'embedded');
};

const stopAll = async (): Promise<void> => {
  await Promise.all(started.splice(0).map((process) => process.stop('SIGINT')));
  await rm(directory, { recursive: true, force: true });
};

const launch = (...args: string[]): FerryProcess => {
  const up = FerryProcess.start(['up', '--data-dir', path.join(directory, 'data'), ...args], env);
  started.push(up);
  return up;
};

interface Ready {
  readonly process: FerryProcess;
  readonly ready: Started;
  readonly tookMs: number;
}

const readyLine = (process: FerryProcess): Promise<Started> =>
  eventually(
    'the JSON line',
    () => {
      if (process.stdout.includes('\n')) return JSON.parse(process.stdout) as Started;
      if (!process.running) throw new Error(`ferry up ended: ${process.ending}`);
      return undefined;
    },
    READY_WITHIN_MS,
  );

const up = async (...args: string[]): Promise<Ready> => {
  const since = performance.now();
  const process = launch('--json', ...args);
  return { process, ready: await readyLine(process), tookMs: performance.now() - since };
};

const chat = ({ base_url: base, api_key: key, model }: Started): Promise<Response> =>
  fetch(`${base}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, temperature: 0, messages: [{ role: 'user', content: 'Hello' }] }),
  });

/** From the description that its lock gives; undefined where none runs. */
const pidOf = async (name: 'node' | 'relay'): Promise<number | undefined> => {
  const description = await readInstance(path.join(directory, 'data', name), name);
  return (description as { readonly pid: number } | undefined)?.pid;
};

/** A plain `ferry` must not use an instance with a data directory of its own, whether that prints its screen or JSON. */
const expectNoProfile = async (): Promise<void> => {
  await expect(stat(path.join(directory, 'config/credentials.json'))).rejects.toThrow('ENOENT');
};

/** One directory for all tests of the block, which therefore run in this order. */
describe('ferry up on a new computer', () => {
  let first: Ready;

  beforeAll(openFolder);
  afterAll(stopAll, 60_000);

  it('ferry up on a new computer is waited for by a second start, and both print the same JSON line', async () => {
    const since = performance.now();
    const both = [launch('--json', '--port', '0'), launch('--json', '--port', '0')] as const;
    const [one, other] = await Promise.all(both.map(readyLine));
    await eventually('one of them has ended', () => both[0].running !== both[1].running);
    const [process, ready] = both[0].running ? [both[0], one!] : [both[1], other!];
    first = { process, ready, tookMs: performance.now() - since };
    const consoleUrl = expect.stringContaining('/console/start#');
    expect(one).toEqual({ ...other, console_url: consoleUrl });
    await expectNoProfile();
  }, 90_000);

  it('prints one JSON line when it is ready to serve, serves, and restarts with the same account', async () => {
    expect(Object.keys(first.ready).sort()).toEqual(
      [
        'anthropic_base_url',
        'api_key',
        'base_url',
        'cluster_id',
        'console_url',
        'data_dir',
        'model',
        'network_urls',
        'node_id',
        'openai_base_url',
      ].sort(),
    );
    const { base_url: address } = first.ready;
    expect(first.ready).toMatchObject({
      openai_base_url: `${address}/v1`,
      anthropic_base_url: address,
      network_urls: [],
      data_dir: path.join(directory, 'data'),
    });
    expect(first.ready).toMatchObject({
      api_key: expect.stringMatching(/^sk-ferry-[0-9A-Za-z]{61}$/),
      console_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/console\/start#ferry-web-[0-9A-Za-z]{61}$/),
      cluster_id: expect.stringMatching(/^cl_/),
      node_id: expect.stringMatching(/^nd_/),
      model: 'tiny',
    });
    const response = await chat(first.ready);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      choices: [{ message: { content: 'Hello! How can I help you today?' } }],
    });
    expect(await first.process.stop('SIGINT')).toBe(0);
    expect(first.process.stdout.trim().split('\n')).toHaveLength(1);

    const second = await up('--port', '0');
    const { base_url, openai_base_url, anthropic_base_url, console_url } = first.ready;
    expect(second.ready.console_url).not.toBe(console_url);
    expect({ ...second.ready, base_url, openai_base_url, anthropic_base_url, console_url }).toEqual(first.ready);
    expect((await chat(second.ready)).status).toBe(200);
    process.stderr.write(
      `ferry up: cold ${(first.tookMs / 1_000).toFixed(1)} s, warm ${(second.tookMs / 1_000).toFixed(1)} s\n`,
    );
    expect(await second.process.stop('SIGTERM')).toBe(0);
  }, 150_000);

  it('leaves nothing running when it is stopped, or its setup is killed, before or as soon as it is ready', async () => {
    for (const { target, code, says } of [
      { target: 'itself', code: 130, says: 'interrupted: nothing runs' },
      { target: 'setup', code: 1, says: 'error: the start was ended by SIGKILL' },
      { target: 'both at the ready line', code: 0, says: 'Stopping' },
    ]) {
      const starting = launch('--port', '0', '--json');
      const relay = await eventually('its relay starts', () => pidOf('relay'), READY_WITHIN_MS);
      const setup = childrenOf(starting.pid).find((pid) => pid !== relay)!;
      if (target === 'both at the ready line') {
        await once(starting.child.stdout!, 'data');
        starting.child.kill('SIGINT');
        // It may have ended since.
        if (childrenOf(starting.pid).includes(setup)) process.kill(setup, 'SIGINT');
      } else if (target === 'itself') starting.child.kill('SIGTERM');
      else process.kill(setup, 'SIGKILL');
      expect(await starting.exited).toBe(code);
      expect(starting.stderr).toContain(says);
      expect(await pidOf('relay')).toBeUndefined();
    }
  }, 60_000);

  it('reports a port in use in one line', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as AddressInfo;
    const refused = launch('--port', String(port));
    expect(await refused.exited).toBe(1);
    expect(refused.stderr).toContain(String(port));
    squatter.close();
  }, 90_000);
});

/** One instance for all tests of the block, in the default data directory of a new home; they run in this order. */
describe('ferry up for a network', () => {
  let screen: () => { stdout: string; stderr: string };
  let child: ChildProcess;

  beforeAll(async () => {
    await openMigrated();
    await mkdir(path.join(directory, 'ferry/node'), { recursive: true });
    await writeFile(path.join(directory, 'ferry/node/engines.json'), '{"engines": []}');
    const words = ['up', '--port', '0', '--host', '0.0.0.0'];
    child = spawn(process.execPath, [path.join(repositoryRoot, 'bin/ferry.js'), ...words], {
      env: { PATH: process.env['PATH'], ...env, XDG_DATA_HOME: directory, HOME: directory, FERRY_DISCOVERY: 'off' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own.
      detached: true,
    });
    let [stdout, stderr] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    screen = () => ({ stdout, stderr });
    await eventually('the screen', () => stdout.includes('Ctrl-C'), READY_WITHIN_MS);
  }, 90_000);
  afterAll(async () => {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL');
    await rm(directory, { recursive: true, force: true });
  }, 60_000);

  it("starts at once when the configuration does not serve the quickstart's model, with a line that others can use", async () => {
    const { stdout, stderr } = screen();
    expect(stderr).toContain('✓ models (none is loaded)');
    expect(stdout).not.toContain('Only this computer');
    const [url] = networkAddresses();
    if (url === undefined) return;
    expect(stdout).toMatch(new RegExp(`In your network +http://${url}:\\d+\n`));
    const line = /^curl -fsSL (http:\S+)\/install\.sh .*--token ferry-join-\w+ --force-insecure/m.exec(stdout);
    const script = await (await fetch(`${line?.[1] ?? ''}/install.sh`)).text();
    expect(script).toContain(`RELAY_URL=${line?.[1] ?? ''}\n`);
  }, 90_000);

  it('keeps the key in a file that only its owner can read, and signs the command line in', async () => {
    const file = path.join(directory, 'ferry/credentials.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const credentials = JSON.parse(await readFile(file, 'utf8')) as Started;
    expect(screen().stdout).toContain(credentials.api_key);
    const { code, stdout } = await ferry(['clusters', '--json'], env);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      object: 'list',
      data: [{ cluster_id: credentials.cluster_id, name: 'home', nodes: 1, online: 1, loaded: [] }],
    });
  }, 60_000);

  it('stops in order, without a restart, when its whole process group gets SIGTERM', async () => {
    const closed = once(child, 'close');
    process.kill(-child.pid!, 'SIGTERM');
    expect((await closed)[0]).toBe(0);
    const { stderr } = screen();
    expect(stderr).toContain('Stopping');
    expect(stderr).not.toContain('is down');
  }, 90_000);
});

/** One instance for all tests of the block, which therefore run in this order. */
describe('a running ferry up', () => {
  let port: number;
  let running: FerryProcess;
  let ready: Started;

  beforeAll(async () => {
    await openMigrated();
    port = await freePort();
    running = launch('--port', String(port));
    await eventually('the screen', () => running.stdout.includes('Ctrl-C'), READY_WITHIN_MS);
  }, 90_000);
  afterAll(stopAll, 60_000);

  it('a running ferry up has printed a curl line for users that works when pasted', async () => {
    const line = /^ *(curl .*(?:\\\n.*)*)$/m.exec(running.stdout)?.[1] ?? '';
    const pasted = spawnSync('bash', ['-c', line], { encoding: 'utf8', timeout: 20_000 * timeFactor });
    expect(pasted.status).toBe(0);
    expect(pasted.stdout).toContain('"content"');
    expect(running.stdout).toContain(`http://127.0.0.1:${port}`);
    expect(running.stdout).toMatch(/Found on this computer\n {4}built-in +tiny \(/);
    expect(running.stdout).toContain('Only this computer can reach Ferry');
    expect(running.stderr).toMatch(/^Ferry \d+\.\d+\.\d+ · starting/);
    expect(running.stderr).toContain('✓ model tiny');
    expect(running.stdout).toContain('sk-ferry-');
    await expectNoProfile();
  }, 30_000);

  it('a running ferry up is printed by a second start on the same data', async () => {
    const second = launch('--json', '--port', '0');
    expect(await second.exited).toBe(0);
    ready = JSON.parse(second.stdout) as Started;
    expect(ready).toMatchObject({ base_url: `http://127.0.0.1:${port}`, model: 'tiny' });
    expect(running.stdout).toContain(ready.api_key);
    // The sign-in link of the website is valid once, so each start creates a new one.
    expect(running.stdout).not.toContain(ready.console_url);
    const shown = launch();
    expect(await shown.exited).toBe(0);
    expect(shown.stdout).toContain('Ferry is running already');
    expect(shown.stdout).toContain(`OpenAI clients      ${ready.openai_base_url}\n`);
    expect((await chat(ready)).status).toBe(200);
  }, 60_000);

  it('a running ferry up is a small process beside relay and node, and what set them up has ended', async () => {
    const others = await Promise.all((['relay', 'node'] as const).map(pidOf));
    await eventually('the setup has ended', () => childrenOf(running.pid).length === others.length);
    expect(childrenOf(running.pid).sort()).toEqual([...others].sort());
    // Some 8 MB on Node 20, of which 6 are Node's own; its program is shared with the others.
    expect(privateBytes(running.pid)).toBeLessThan(15 * 1_048_576);
  }, 20_000);

  it('isolates relay and node: neither stops the other, and both are restarted', async () => {
    const before = (await pidOf('node'))!;
    process.kill(before, 'SIGKILL');
    const node = await eventually(
      'another node process runs',
      async () => {
        const now = await pidOf('node');
        return now === before ? undefined : now;
      },
      20_000,
    );
    await eventually('it serves', async () => (await chat(ready)).status === 200, 20_000);

    process.kill((await pidOf('relay'))!, 'SIGKILL');
    await eventually(
      'the relay serves again on the same address',
      async () => (await chat(ready)).status === 200,
      30_000,
    );
    expect(await pidOf('node')).toBe(node);
  }, 120_000);
});
