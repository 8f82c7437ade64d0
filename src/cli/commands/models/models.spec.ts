/** What owners do with models from the command line, against a small HTTP server in place of the relay. */
import { inJsonForm } from '../../core/output/json-form.js';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../../test/support/clock/eventually.js';
import { createTerminal } from '../../core/output/terminal.js';
import { runCli } from '../../program.js';

const JOB = `op_${'1'.repeat(32)}`;
const engine = (name: string, kind = name) => ({ name, kind });
const node = {
  node_id: 'nd_1',
  name: 'desk',
  cluster_id: 'cl_1',
  online: true,
  engines: [engine('llamacpp')],
  models: [],
};
const job = {
  object: 'operation',
  id: JOB,
  kind: 'install',
  node_id: 'nd_1',
  node_name: 'desk',
  node_online: true,
  engine: null,
  model: null,
  model_key: null,
  source: 'qwen3:8b',
  state: 'queued',
  phase: null,
  completed_bytes: null,
  total_bytes: null,
  bytes_per_second: null,
  failure: null,
  cancel_requested: false,
  created_at: '2025-11-20T10:15:00.000Z',
};
const running = {
  ...job,
  state: 'running',
  phase: 'downloading',
  completed_bytes: 3_200_000_000,
  total_bytes: 5_200_000_000,
  bytes_per_second: 48_000_000,
};
const succeeded = { ...running, state: 'succeeded', model: 'qwen3:8b', model_key: 'ollama/qwen3:8b' };

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let baseUrl: string;
let handlers: Map<string, Handler>;
let received: { route: string; body: string }[];

beforeEach(async () => {
  handlers = new Map();
  received = [];
  server = createServer((request, response) => {
    const route = `${String(request.method)} ${String(request.url)}`;
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ route, body });
      const handler = handlers.get(route) ?? json(404, { code: 'not_found', detail: `nothing at ${route}` });
      handler(request, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const json =
  (status: number, body: unknown): Handler =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
const list = (...data: unknown[]): Handler => json(200, { object: 'list', data });
const feed =
  (...operations: unknown[]): Handler =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(operations.map(eventOf).join(''));
  };
const eventOf = (operation: unknown): string => `event: operation\ndata: ${JSON.stringify(operation)}\n\n`;

const run = (words: string) => {
  const written = { stdout: '', stderr: '' };
  const env = {
    FERRY_BASE_URL: baseUrl,
    FERRY_TOKEN: 'ferry-cli-x',
    FERRY_CONFIG_DIR: path.join(os.tmpdir(), 'ferry-no-such-directory'),
  };
  const terminal = createTerminal(
    { write: (text: string) => (written.stdout += text) },
    { write: (text: string) => (written.stderr += text) },
    env,
  );
  return { written, code: runCli(words.split(' '), { terminal, env }) };
};

const ferry = async (words: string) => {
  const { written, code } = run(words);
  return { code: await code, ...written };
};

const lines = (text: string): { type: string; state: string }[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; state: string });

const EVENTS = `GET /api/operations/${JOB}/events`;

describe('ferry models install', () => {
  it('shows bytes, speed and time left, and then the next step', async () => {
    handlers.set('POST /api/operations', json(202, job));
    handlers.set(EVENTS, feed(running, succeeded));
    const { code, stdout, stderr } = await ferry('models install qwen3:8b');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/^Installing on desk {2}qwen3:8b {2}/m);
    expect(stderr).toContain('✓ Installed qwen3:8b on desk.');
    expect(stderr).toContain('ferry models load qwen3:8b');
    expect(stderr).not.toContain('\u001b');
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({ kind: 'install', source: 'qwen3:8b' });
  });

  it('prints one JSON line per state with --json, and one result', async () => {
    handlers.set('POST /api/operations', json(202, job));
    handlers.set(EVENTS, feed(running, succeeded));
    const { code, stdout } = await ferry('models install qwen3:8b --json');
    expect(code).toBe(0);
    expect(lines(stdout)).toMatchObject([
      { type: 'progress', operation_id: JOB, state: 'queued' },
      { type: 'progress', completed_bytes: 3_200_000_000 },
      { type: 'result', state: 'succeeded', model: 'qwen3:8b' },
    ]);
  });

  it('requests install and load as one operation', async () => {
    handlers.set('POST /api/operations', json(202, { ...job, load: true }));
    handlers.set(EVENTS, feed({ ...succeeded, load: true }));
    const { code, stderr } = await ferry('models install qwen3:8b --load');
    expect(code).toBe(0);
    expect(stderr).toContain('✓ Installed and loaded qwen3:8b on desk.');
    expect(stderr).not.toContain('next:');
    const sent = received
      .filter(({ route }) => route === 'POST /api/operations')
      .map(({ body }) => JSON.parse(body) as object);
    expect(sent).toEqual([{ kind: 'install', source: 'qwen3:8b', load: true }]);
  });

  it('installs the named quantization of a repository in the syntax of the engine, and chooses no node by itself', async () => {
    const kinds = [
      ['desk', 'lmstudio', 8e9],
      ['studio', 'llamacpp', 41e9],
    ] as const;
    const nodes = kinds.map(([name, kind, free]) => ({
      ...node,
      node_id: `nd_${name}`,
      name,
      accepts_work: true,
      memory: { total_bytes: 64e9, free_bytes: free },
      gpus: [],
      engines: [{ name: `my-${kind}`, kind, problem: null }],
    }));
    const file = (quantization: string) => ({
      path: `${quantization}.gguf`,
      source: `hf:a/b/${quantization}.gguf`,
      quantization,
      size_bytes: 5e9,
    });
    handlers.set('GET /api/nodes', list(...nodes));
    handlers.set('GET /api/catalog/hf/a/b', json(200, { id: 'a/b', files: [file('Q4_K_M'), file('Q8_0')] }));
    handlers.set('POST /api/operations', json(202, job));
    const unclear = await ferry('models install hf:a/b:q8_0 --detach');
    expect(unclear).toMatchObject({ code: 2, stderr: expect.stringContaining('studio, desk') });
    expect(unclear.stderr).toContain('--node');
    expect((await ferry('models install hf:a/b:q8_0 --detach --node desk')).code).toBe(0);
    expect((await ferry('models install hf:a/b:q8_0 --detach --node studio')).code).toBe(0);
    const sent = received
      .filter(({ route }) => route === 'POST /api/operations')
      .map(({ body }) => JSON.parse(body) as object);
    expect(sent).toEqual([
      { kind: 'install', node_id: 'nd_desk', engine: 'my-lmstudio', source: 'https://huggingface.co/a/b@Q8_0' },
      { kind: 'install', node_id: 'nd_studio', engine: 'my-llamacpp', source: 'hf:a/b/Q8_0.gguf' },
    ]);
  });

  it('ferry models install can be detached together with its load', async () => {
    handlers.set('POST /api/operations', json(202, { ...job, load: true }));
    const { code, stdout, stderr } = await ferry('models install qwen3:8b --load --detach');
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${JOB}\n` });
    expect(stderr).toContain('Installing and loading qwen3:8b on desk goes on there.');
  });

  it('prints the id alone with --detach', async () => {
    handlers.set('POST /api/operations', json(202, job));
    const { code, stdout, stderr } = await ferry('models install qwen3:8b --detach');
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${JOB}\n` });
    expect(stderr).toContain(`ferry models jobs watch ${JOB}`);
  });

  it('ferry models install has what the node says is to be done on the second line', async () => {
    const message = 'tiny is cut off: it has 300.0 KB and needs more than 975.4 KB. Download it again';
    handlers.set('POST /api/operations', json(202, job));
    handlers.set(
      EVENTS,
      feed({ ...running, source: 'local:tiny.gguf', state: 'failed', failure: { code: 'invalid_file', message } }),
    );
    expect((await ferry('models install qwen3:8b')).stderr).toMatch(
      /^error: install of tiny\.gguf on desk failed: tiny is cut off: .* 975\.4 KB\n {2}try: download it again$/m,
    );
  });

  it('ends with 1 and the reason when it fails, and still with one result for programs', async () => {
    const failure = { code: 'disk_full', message: 'needs 5.2 GB, 1.0 GB is free on /data' };
    handlers.set('POST /api/operations', json(202, job));
    handlers.set(EVENTS, feed({ ...running, state: 'failed', failure }));
    const { code, stderr } = await ferry('models install qwen3:8b');
    expect(code).toBe(1);
    expect(stderr).toContain('error: install of qwen3:8b on desk failed: needs 5.2 GB');
    expect(stderr).toContain(`\n  try: ferry models jobs --all  (${JOB})\n`);
    const forPrograms = await ferry('models install qwen3:8b --json');
    expect(forPrograms.code).toBe(1);
    expect(lines(forPrograms.stdout).at(-1)).toMatchObject({ type: 'result', state: 'failed', failure });
    expect(JSON.parse(forPrograms.stderr)).toMatchObject({ error: { code: 'disk_full' } });
  });

  it('continues watching when the relay restarts', async () => {
    handlers.set('POST /api/operations', json(202, job));
    let connections = 0;
    handlers.set(EVENTS, (request, response) => {
      connections += 1;
      if (connections === 1) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(eventOf(running), () => request.socket.destroy());
      } else if (connections === 2) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end('event: error\ndata: {"code":"draining","status":503,"detail":"The relay is shutting down."}\n\n');
      } else feed(succeeded)(request, response);
    });
    const { code, stderr } = await ferry('models install qwen3:8b');
    expect([code, connections]).toEqual([0, 3]);
    expect(stderr).toContain('✓ Installed');
  });

  it('ends with 4 when the credential is revoked while it watches', async () => {
    handlers.set('POST /api/operations', json(202, job));
    handlers.set(EVENTS, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('event: error\ndata: {"code":"invalid_credential","status":401,"detail":"Revoked."}\n\n');
    });
    expect((await ferry('models install qwen3:8b')).code).toBe(4);
  });

  it('detaches at Ctrl-C, and prints how to watch again', async () => {
    handlers.set('POST /api/operations', json(202, job));
    handlers.set(EVENTS, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(eventOf(running));
    });
    const { written, code } = run('models install qwen3:8b');
    await eventually('it watches', () => received.some(({ route }) => route === EVENTS));
    process.emit('SIGINT');

    expect(await code).toBe(130);
    expect(written.stderr).toContain('Installing qwen3:8b on desk goes on there.');
    expect(written.stderr).toContain(`ferry models jobs cancel ${JOB}`);
    expect(written.stderr).not.toContain('error:');
    expect(received.some(({ route }) => route.includes('cancel'))).toBe(false);
  });
});

describe('ferry models load, unload and remove', () => {
  const load = { ...job, kind: 'load', source: null, model: 'tiny', engine: 'llamacpp' };

  beforeEach(() => {
    handlers.set('POST /api/operations', json(202, load));
    handlers.set(EVENTS, feed({ ...load, state: 'succeeded' }));
    handlers.set('GET /api/nodes', list(node, { ...node, node_id: 'nd_2', name: 'attic' }));
  });

  const asked = (): unknown => JSON.parse(received.find(({ route }) => route.startsWith('POST'))?.body ?? '');

  it('accepts the node by name or id', async () => {
    for (const name of ['attic', 'nd_2']) {
      received.length = 0;
      expect((await ferry(`models load tiny --node ${name} --context 4096 --engine llamacpp`)).code).toBe(0);
      expect(asked()).toEqual({
        kind: 'load',
        model: 'tiny',
        node_id: 'nd_2',
        context_tokens: 4_096,
        engine: 'llamacpp',
      });
      expect(received.filter(({ route }) => route.startsWith('GET /api/nodes'))).toHaveLength(1);
    }
  });

  it('exits 5 for an unknown node, and 2 for an ambiguous name', async () => {
    expect((await ferry('models load tiny --node cellar')).code).toBe(5);
    handlers.set('GET /api/nodes', list(node, { ...node, node_id: 'nd_2' }));
    const { code, stderr } = await ferry('models load tiny --node desk');
    expect(code).toBe(2);
    expect(stderr).toContain('nd_1, nd_2');
  });

  it.each<[number, object, number]>([
    [404, { code: 'model_not_found', detail: 'No.' }, 5],
    [503, { code: 'node_offline', detail: 'Away.' }, 6],
    [400, { code: 'invalid_request', param: 'node_id', detail: 'Several: a, b.' }, 2],
    [400, { code: 'invalid_request', param: 'model', detail: 'Several: mdl_1, mdl_2.' }, 2],
    [409, { code: 'operation_conflict', detail: 'Load is under way.' }, 1],
  ])('turns %i into an exit code: %j', async (status, problem, expected) => {
    handlers.set('POST /api/operations', json(status, problem));
    expect((await ferry('models unload tiny')).code).toBe(expected);
  });

  it('ends with 2 for a context that is no number', async () => {
    expect((await ferry('models load tiny --context lots')).code).toBe(2);
  });

  it('removes only after confirmation', async () => {
    const { code, stderr } = await ferry('models remove tiny');
    expect(code).toBe(2);
    expect(stderr).toContain('--yes');
    expect(received).toEqual([]);
    expect((await ferry('models remove tiny --yes')).code).toBe(0);
    expect(asked()).toEqual({ kind: 'remove', model: 'tiny' });
  });
});

describe('ferry models jobs', () => {
  it('lists running operations with their progress', async () => {
    handlers.set('GET /api/operations?limit=200&state=queued%2Crunning', list(running));
    const { code, stdout } = await ferry('models jobs');
    expect(code).toBe(0);
    expect(stdout).toContain('3.2/5.2 GB  48.0 MB/s  00:42');
    expect(JSON.parse((await ferry('models jobs --json')).stdout)).toEqual(
      inJsonForm({ object: 'list', data: [running] }),
    );
  });

  it('shows operations that wait for their node', async () => {
    handlers.set('GET /api/operations?limit=200', list({ ...running, node_online: false }));
    expect((await ferry('models jobs --all')).stdout).toContain('the node is offline');
  });

  it('lists failures of a week, tries one again and dismisses one', async () => {
    const failure = { code: 'out_of_memory', message: 'qwen3:8b needs more memory' };
    const failed = { ...running, state: 'failed', failure };
    handlers.set('GET /api/operations?limit=200&state=failed&dismissed=false&since=7d', list(failed));
    expect((await ferry('models jobs --failed')).stdout).toContain('needs more memory');
    handlers.set(`POST /api/operations/${JOB}/dismiss`, json(200, failed));
    expect(await ferry(`models jobs dismiss ${JOB}`)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('is dismissed'),
    });
    handlers.set(`POST /api/operations/${JOB}/retry`, json(202, running));
    handlers.set(EVENTS, feed({ ...running, state: 'succeeded' }));
    expect((await ferry(`models jobs retry ${JOB}`)).code).toBe(0);
  });

  it('cancels, and watches the outcome', async () => {
    handlers.set(`POST /api/operations/${JOB}/cancel`, json(202, { ...running, cancel_requested: true }));
    expect((await ferry(`models jobs cancel ${JOB}`)).code).toBe(0);
    handlers.set(`GET /api/operations/${JOB}`, json(200, running));
    handlers.set(EVENTS, feed({ ...running, state: 'cancelled' }));
    const { code, stderr } = await ferry(`models jobs watch ${JOB}`);
    expect(code).toBe(1);
    expect(stderr).toContain('was cancelled');
    expect((await ferry('models jobs watch op_nope')).code).toBe(5);
  });
});
