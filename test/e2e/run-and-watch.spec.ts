// Own relay: its settings name another hub of models.
/** `ferry run`, `requests`, `explain` and `top` as real processes against a relay and a node with the tiny model. */
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { shapeProblems } from '../support/cli/shape-problems.js';
import { ferryHere } from '../support/process/ferry-here.js';
import { ferry, FerryProcess, repositoryRoot, type CommandResult } from '../support/process/ferry-process.js';
import { Loopback } from '../support/network/loopback.js';
import { TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';

const ESCAPE = String.fromCharCode(27);

const tiny = path.join(repositoryRoot, 'engines/models/tiny.gguf');

/** Stands in for Hugging Face: one repository with `tiny` in two quantizations. */
async function startHub(): Promise<Loopback> {
  const bytes = await readFile(tiny);
  const siblings = ['Other-Q4_K_M.gguf', 'Other-Q8_0.gguf'].map((rfilename) => ({ rfilename, size: bytes.length }));
  return Loopback.start((request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '', 'http://hub');
    if (pathname === '/api/models/someone/tiny-gguf') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ id: 'someone/tiny-gguf', gated: false, siblings }));
    } else if (/^\/someone\/tiny-gguf\/resolve\/main\/Other-Q\w+\.gguf$/.test(pathname)) {
      response.setHeader('content-length', bytes.length);
      response.end(bytes);
    } else {
      response.writeHead(404).end();
    }
  });
}

describe('running and watching', () => {
  let hub: Loopback;
  let relay: TestRelay;
  let node: TestNode;
  let files: string;

  beforeAll(async () => {
    hub = await startHub();
    files = await mkdtemp(path.join(tmpdir(), 'ferry-files-'));
    relay = await TestRelay.start({ env: { FERRY_HUB_URL: hub.url } });
    node = await TestNode.start(relay, { name: 'studio', env: { HF_ENDPOINT: hub.url } });
  }, 90_000);

  afterAll(async () => {
    await node.stop();
    await relay.stop();
    await hub.close();
    await rm(files, { recursive: true });
  }, 30_000);

  /** On the computer of the node: with its data directory, signed in to the relay. */
  const there = (): Record<string, string> => ({
    ...node.env,
    FERRY_BASE_URL: relay.baseUrl,
    FERRY_TOKEN: relay.credentials.cli_token,
    FERRY_API_KEY: relay.apiKey,
  });

  /** `run` and `chat` read stdin, which is that of the process. */
  const run = (...words: string[]): Promise<CommandResult> => ferry(words, relay.commandEnv);
  const runHere = (...words: string[]): Promise<CommandResult> => ferryHere(words, relay.commandEnv);
  const logged = async (): Promise<readonly { request_id: string }[]> =>
    (JSON.parse((await runHere('requests', '--json')).stdout) as { data: { request_id: string }[] }).data;

  it('loads an installed model, found by part of its name, and prints the answer', async () => {
    expect((await runHere('models', 'unload', 'tiny')).code).toBe(0);
    const { code, stdout, stderr } = await run('run', 'tin', '--max-tokens', '8', 'Count to 8');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Loaded tiny on studio') });
    expect(stdout.trim()).not.toBe('');
  }, 90_000);

  it('gives advice for a model that no node has', async () => {
    const { code, stderr } = await run('run', 'nothing-like-this');
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining('ferry models search') });
  });

  it('lists the request, and explains the latest or one by a prefix of its id', async () => {
    const rows = await eventually(
      'the request is logged',
      async () => ((await logged()).length > 0 ? logged() : undefined),
      30_000,
    );
    for (const row of rows) expect(shapeProblems('requests', row)).toEqual([]);
    const id = rows[0]?.request_id ?? '';
    const whole = (await runHere('requests')).stdout;
    expect(whole).toContain(id);
    expect(whole).toMatch(/tiny +studio +completed +\d+/);
    const latest = await runHere('explain');
    expect(latest.stdout).toMatch(new RegExp(`^${id} · tiny · completed · \\d+ tokens · `));
    expect(latest.stdout).toMatch(/^first token +\S+ s +\S+ s$/m);
    expect((await runHere('explain', id.slice(0, 16))).stdout).toBe(latest.stdout);
  }, 60_000);

  it('follows requests, one line for each', async () => {
    const lists = (): number => relay.process.stderr.split('"route":"/api/usage/requests"').length;
    const before = lists();
    const follower = FerryProcess.start(['requests', '--follow', '--json'], relay.commandEnv);
    await eventually('it has read the earlier requests', () => lists() > before, 30_000);
    expect(follower.stdout).toBe('');
    const response = await run('chat', '-m', 'tiny', '--max-tokens', '4', '--json', 'Hi');
    const { request_id: id } = JSON.parse(response.stdout) as { request_id: string };
    await eventually('its line', () => follower.stdout.includes(id), 30_000);
    expect(shapeProblems('requests', JSON.parse(follower.stdout))).toEqual([]);
    follower.child.kill('SIGINT');
    expect(await follower.exited).toBe(130);
  }, 60_000);

  it('shows one frame of top in a pipe, and none without --once', async () => {
    expect((await run('top')).code).toBe(2);
    expect((await run('top', '--once')).stdout).toMatch(/^● studio +tiny +/m);
    expect(shapeProblems('top', JSON.parse((await runHere('top', '--json')).stdout))).toEqual([]);
  }, 30_000);

  it('installs the named quantization from a repository, and never chooses among several by itself', async () => {
    const unclear = await run('run', 'hf:someone/tiny-gguf', 'Hi');
    expect(unclear).toMatchObject({ code: 2, stderr: expect.stringContaining('hf:someone/tiny-gguf:Q8_0') });
    const ran = await run('run', 'hf:someone/tiny-gguf:q8_0', '--max-tokens', '4', 'Hi');
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('Installed and loaded') });
    expect(ran.stdout.trim()).not.toBe('');
    expect((await runHere('models', 'install', 'hf:someone/tiny-gguf:Q4_K_M')).code).toBe(0);
    const { models } = await relay.manage<{ models: readonly { key: string; state: string }[] }>(
      'GET',
      `/nodes/${await node.id()}`,
    );
    const states = new Map(models.map(({ key, state }) => [key, state]));
    expect([states.get('llamacpp/Other-Q8_0'), states.get('llamacpp/Other-Q4_K_M')]).toEqual(['loaded', 'installed']);
  }, 90_000);

  it('installs a file on the computer of the node without moving it', async () => {
    const file = path.join(files, 'mine.gguf');
    await copyFile(tiny, file);
    const ran = await ferry(['run', file, '--max-tokens', '4', 'Hi'], there());
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('Installed and loaded') });
    expect((await ferryHere(['models', 'remove', 'llamacpp/mine', '--yes'], there())).code).toBe(0);
    expect(await readFile(file)).toEqual(await readFile(tiny));
    expect((await ferryHere(['models', 'install', file], there())).code).toBe(0);
  }, 90_000);

  it('explains why a file cannot be installed', async () => {
    const file = path.join(files, 'mine.gguf');
    expect(await runHere('models', 'install', file)).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/no node is running on .*\n.*ferry up/),
    });
    expect(await ferry(['run', './no-such.gguf', 'Hi'], there())).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('there is no file'),
    });
    // What nobody offered on that computer cannot be named from elsewhere.
    const other = await runHere('models', 'install', 'local:other.gguf', '--engine', 'llamacpp');
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('not offered on this computer') });
  }, 60_000);

  it.each([
    ['q', 'q'],
    ['Ctrl-C', String.fromCharCode(3)],
  ])(
    'restores the terminal after %s',
    async (_, key) => {
      const entry = path.join(repositoryRoot, 'bin/ferry.js');
      const command = `stty cols 80 rows 24; '${process.execPath}' '${entry}' top; stty -a`;
      const person = FerryProcess.startProgram(
        'script',
        ['--quiet', '--return', '--command', command, '/dev/null'],
        repositoryRoot,
        { ...relay.commandEnv, TERM: 'xterm', NO_COLOR: undefined },
        'pipe',
      );
      await eventually('the first frame', () => person.stdout.includes('studio'), 20_000);
      person.type(key);
      expect(await person.exited).toBe(0);
      expect(person.stdout.indexOf(`${ESCAPE}[?1049h`)).toBeLessThan(person.stdout.lastIndexOf(`${ESCAPE}[?1049l`));
      expect(person.stdout).toContain(`${ESCAPE}[?25h`);
      expect(person.stdout).toMatch(/[^-]icanon .*[^-]echo /s);
    },
    40_000,
  );
});
