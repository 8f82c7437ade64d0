// Own relay: it is killed.
/** Model operations from the command line, through relay, link, node and the built-in engine. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { SlowFiles } from '../support/engine/slow-files.js';
import { ferryHere } from '../support/process/ferry-here.js';
import { ferry, FerryProcess, repositoryRoot } from '../support/process/ferry-process.js';
import { inventoryOf } from '../support/process/test-node.js';
import { deploy } from '../support/process/deploy.js';
import type { TestRelay } from '../support/process/test-relay.js';

interface Operation {
  readonly id: string;
  readonly state: string;
  readonly node_online: boolean;
  readonly completed_bytes: number | null;
  readonly failure: { readonly code: string } | null;
}

/** A second after the engine is ready, plus the latency of the processes. */
const USABLE_WITHIN_MS = 1_000;

let relay: TestRelay;

deploy({ node: { name: 'desk', env: { FERRY_NODE_INSTALL_SOURCES: 'private' } } }, (started) => {
  ({ relay } = started);
});

const models = (words: string) => ferryHere(['models', ...words.split(' ')], relay.commandEnv);

const lastLine = (stdout: string): Record<string, unknown> =>
  JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>;

const tinyIsLoaded = async (): Promise<boolean> =>
  (await inventoryOf(relay)).find(({ id }) => id === 'tiny')?.loaded === true;

const ask = (model: string): Promise<Response> =>
  relay.chat({ model, messages: [{ role: 'user', content: 'Count to 3' }], max_tokens: 16 });

describe('loading and unloading', () => {
  it('unloads a model, and loads it again on command only', async () => {
    const unloaded = await models('unload tiny --json');
    expect(unloaded).toMatchObject({ code: 0 });
    expect(lastLine(unloaded.stdout)).toMatchObject({ type: 'result', kind: 'unload', state: 'succeeded' });
    await eventually('it is not loaded any more', async () => !(await tinyIsLoaded()), USABLE_WITHIN_MS);
    expect((await inventoryOf(relay)).map(({ id }) => id)).toContain('tiny');
    expect((await models('list')).stdout).toMatch(/^tiny +home +installed/m);

    const refused = await ask('tiny');
    expect(refused.status).toBe(503);
    expect(await refused.text()).toBe('no node for user');
    expect(refused.headers.get('x-ferry-reason')).toBe('model_not_loaded');
    // No request makes the engine load it.
    expect(await tinyIsLoaded()).toBe(false);

    const loaded = await models('load tiny --node desk --json');
    expect(loaded).toMatchObject({ code: 0 });
    await eventually('it answers again', async () => (await ask('tiny')).ok, USABLE_WITHIN_MS);
    expect(await tinyIsLoaded()).toBe(true);
    expect((await models('ps')).stdout).toMatch(/^tiny +desk +loaded .* llamacpp/m);
  }, 60_000);

  it('exits with the code of the failure', async () => {
    expect((await ferry(['models', 'load', 'no-such-model'], relay.commandEnv)).code).toBe(5);
    expect((await models('load tiny --node no-such-node')).code).toBe(5);
  });
});

describe('installing', () => {
  let files: SlowFiles;

  beforeEach(async () => {
    files = await SlowFiles.start(await readFile(path.join(repositoryRoot, 'engines/models/tiny.gguf')));
  });
  afterEach(async () => {
    await files.close();
  });

  it('downloads a model, shows its progress, and loads it on request', async () => {
    files.openGate();
    const installed = await models(`install ${files.url('fresh.gguf')} --load --json`);
    expect(installed.stderr).not.toContain('error');
    expect(installed.code).toBe(0);
    expect(lastLine(installed.stdout)).toMatchObject({
      type: 'result',
      kind: 'install',
      load: true,
      state: 'succeeded',
    });
    const model = String(lastLine(installed.stdout)['model']);
    expect((await ask(model)).status).toBe(200);
    const removed = await models(`remove ${String(lastLine(installed.stdout)['model_key'])} --yes --json`);
    expect(lastLine(removed.stdout)).toMatchObject({ type: 'result', kind: 'remove', state: 'succeeded' });
  }, 60_000);

  it('loads a detached install afterwards', async () => {
    const waiting = FerryProcess.start(['models', 'install', files.url('left.gguf'), '--load'], relay.commandEnv);
    await eventually('bytes have come', async () => (await models('jobs --json')).stdout.includes('"downloading"'));
    expect(await waiting.stop('SIGINT')).toBe(130);
    expect(waiting.stderr).toContain('goes on there');
    files.openGate();
    await eventually(
      'it is loaded',
      async () => (await models('ps --json')).stdout.includes('"llamacpp/left"'),
      USABLE_WITHIN_MS,
    );
    await models('remove llamacpp/left --yes');
  }, 60_000);

  it('continues while the relay is down, and its outcome is available afterwards', async () => {
    const detached = await models(`install ${files.url('survivor.gguf')} --detach`);
    const id = detached.stdout.trim();
    await eventually('bytes have come', async () => ((await operation(id)).completed_bytes ?? 0) > 0);
    const watching = FerryProcess.start(['models', 'jobs', 'watch', id, '--json'], relay.commandEnv);
    await eventually('it is watched', () => watching.stdout.includes('"progress"'));

    relay.process.child.kill('SIGKILL');
    await relay.process.exited;
    files.openGate();
    await eventually('the node has the whole file', () => files.served > 0);
    await relay.restart();

    const over = await eventually('the outcome is known', async () => {
      const known = await operation(id);
      return known.state !== 'queued' && known.state !== 'running' ? known : undefined;
    });
    expect(over).toMatchObject({ state: 'succeeded', failure: null });
    expect(await watching.exited).toBe(0);
    expect(lastLine(watching.stdout)).toMatchObject({ type: 'result', operation_id: id, state: 'succeeded' });
  }, 90_000);

  it('stops when it is cancelled, and refuses a second install of the same source until then', async () => {
    const source = files.url('unwanted.gguf');
    const id = (await models(`install ${source} --detach`)).stdout.trim();
    await eventually('it runs', async () => (await operation(id)).state === 'running');
    const second = await models(`install ${source} --json`);
    expect(second.code).toBe(1);
    expect(JSON.parse(second.stderr)).toMatchObject({ error: { code: 'operation_conflict' } });
    expect((await models('jobs')).stdout).toContain(id);
    expect((await models(`jobs cancel ${id}`)).code).toBe(0);
    await eventually('it is cancelled', async () => (await operation(id)).state === 'cancelled');
    await eventually('the download has ended', () => files.open === 0);
    expect((await models('jobs')).stdout).not.toContain(id);
  }, 60_000);

  it('leaves the job to the node after Ctrl-C', async () => {
    const installing = FerryProcess.start(['models', 'install', files.url('left.gguf')], relay.commandEnv);
    await eventually('it shows something', () => installing.stderr.includes('Installing'));
    expect(await installing.stop('SIGINT')).toBe(130);
    const id = /jobs watch (op_\w+)/.exec(installing.stderr)?.[1] ?? '';
    expect(['queued', 'running']).toContain((await operation(id)).state);
    files.openGate();
    await eventually('the node finishes it', async () => (await operation(id)).state === 'succeeded');
  }, 60_000);
});

const operation = (id: string): Promise<Operation> => relay.manage<Operation>('GET', `/operations/${id}`);
