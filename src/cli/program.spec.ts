/** The command line as people and scripts use it, against a small HTTP server in place of the relay. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTerminal } from './core/output/terminal.js';
import { inJsonForm } from './core/output/json-form.js';
import { runCli } from './program.js';
import { wantsJson } from './run-program.js';

interface ReceivedResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

const responses = new Map<string, ReceivedResponse>();
const received: { route: string; body: string; authorization: string | undefined }[] = [];
let server: Server;
let baseUrl: string;

beforeAll(async () => {
  server = createServer((req, res) => {
    const route = `${String(req.method)} ${String(req.url)}`;
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('end', () => {
      received.push({ route, body, authorization: req.headers.authorization });
      const response = responses.get(route) ?? { status: 404, body: { code: 'not_found', detail: 'No such thing.' } };
      res.writeHead(response.status, { 'content-type': 'application/json', ...response.headers });
      res.end(JSON.stringify(response.body));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});
beforeEach(() => {
  responses.clear();
  received.length = 0;
});

const ferry = async (words: string, env: Record<string, string> = {}) => {
  let [stdout, stderr] = ['', ''];
  const signedIn = {
    FERRY_BASE_URL: baseUrl,
    FERRY_TOKEN: 'ferry-cli-x',
    FERRY_CONFIG_DIR: path.join(os.tmpdir(), 'ferry-no-such-directory'),
    ...env,
  };
  const terminal = createTerminal(
    { write: (text: string) => (stdout += text) },
    { write: (text: string) => (stderr += text) },
    signedIn,
  );
  const code = await runCli(words === '' ? [] : words.split(' '), { terminal, env: signedIn });
  return { code, stdout, stderr };
};

const key = {
  key_id: 'key_1',
  name: 'laptop',
  last4: 'Qx9z',
  scopes: ['inference'],
  cluster_ids: null,
  limits: { requests_per_minute: 60, tokens_per_minute: null, concurrency: 4 },
  created_by: null,
  created: 1_763_600_000,
  last_used: null,
  revoked: null,
};
const cluster = {
  cluster_id: 'cl_8f2a91aa',
  name: 'home',
  nodes: 2,
  online: 1,
  loaded: ['qwen3:8b'],
  models: 7,
  created: 1_763_600_000,
};
const list = (data: unknown[]): ReceivedResponse => ({ status: 200, body: { object: 'list', data } });

describe('ferry', () => {
  it('shows its help on stdout when asked, with the exit codes', async () => {
    const { code, stdout, stderr } = await ferry('--help --all');
    expect(code).toBe(0);
    expect(stdout).toContain('Usage: ferry');
    expect(stdout).toContain('Exit codes: 0 ok');
    expect(stdout.indexOf('Use models:')).toBeLessThan(stdout.indexOf('Run a relay:'));
    expect(stderr).toBe('');
  });

  it('shows its help on stderr as a usage error without arguments', async () => {
    for (const words of ['', 'node', 'node service']) {
      const { code, stdout, stderr } = await ferry(words);
      expect({ words, code, stdout }).toEqual({ words, code: 2, stdout: '' });
      expect(stderr).toContain('Usage: ferry');
    }
  });

  it('prints its version alone', async () => {
    expect((await ferry('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    ['clusers', 'Did you mean clusters?'],
    // The whole beginning of a name, rather than another one that is shorter.
    ['sta', 'Did you mean status?'],
    ['models unl tiny', 'Did you mean unload?'],
    ['keys creat x', 'Did you mean create?'],
    ['clusters --jsn', 'Did you mean --json?'],
    ['models lst', 'Did you mean list?'],
    ['--profile work nodes shw', 'Did you mean show?'],
    ['models jobs wtch x', 'Did you mean watch?'],
    ['users xyzzy', 'try: ferry users --help'],
  ])('suggests a correction for %p, and exits 2', async (words, guess) => {
    const { code, stdout, stderr } = await ferry(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(guess);
  });

  it.each([
    'keys create',
    'keys revoke',
    'keys list extra',
    'clusters --output xml',
    'up --port 70000',
    'serve --port x',
  ])('exits 2 for %p', async (words) => {
    const { code, stderr } = await ferry(words);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: /);
  });

  it('shows the help of a command whose argument is missing, behind the error', async () => {
    const { code, stdout, stderr } = await ferry('keys create');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: missing required argument 'name'\n.*\n\nUsage: ferry keys create /);
    expect(JSON.parse((await ferry('keys create --json')).stderr)).toMatchObject({ error: { code: 'usage' } });
  });

  it('lists keys without a subcommand', async () => {
    responses.set('GET /api/keys', list([key]));
    expect((await ferry('keys')).stdout).toBe((await ferry('keys list')).stdout);
  });

  it('prints JSON errors even for an invalid command line', async () => {
    const { code, stdout, stderr } = await ferry('clusers --json');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'usage', hint: 'Did you mean clusters?' } });
  });

  it('accepts global options before and after the command', async () => {
    responses.set('GET /api/clusters', list([]));
    for (const words of [
      '--json clusters',
      'clusters --json',
      'clusters list --output json',
      '--output=json clusters',
    ]) {
      expect((await ferry(words)).stdout).toBe('{"object":"list","data":[]}\n');
    }
  });
});

describe('ferry clusters', () => {
  it('ferry clusters is a table by default', async () => {
    responses.set('GET /api/clusters', list([cluster]));
    const { code, stdout, stderr } = await ferry('clusters');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe('NAME  NODES  ONLINE  MODELS LOADED\nhome      2       1  qwen3:8b\n');
    expect(received[0]).toMatchObject({ route: 'GET /api/clusters', authorization: 'Bearer ferry-cli-x' });
  });

  it('ferry clusters is the list of the API with --json', async () => {
    responses.set('GET /api/clusters', list([cluster]));
    expect(JSON.parse((await ferry('clusters --json')).stdout)).toEqual(
      inJsonForm({ object: 'list', data: [cluster] }),
    );
  });

  it('creates one and prints its id', async () => {
    responses.set('POST /api/clusters', { status: 201, body: { ...cluster, name: 'lab' } });
    const { stdout, stderr } = await ferry('clusters create lab');
    expect(stdout).toBe('cl_8f2a91aa\n');
    expect(stderr).toContain('lab');
    expect(received[0]?.body).toBe('{"name":"lab"}');
  });
});

describe('ferry keys', () => {
  it('prints a new key alone on stdout, so that $(ferry keys create NAME) works', async () => {
    responses.set('POST /api/keys', { status: 201, body: { ...key, key: 'sk-ferry-secret', warnings: [] } });
    const { code, stdout, stderr } = await ferry('keys create laptop');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'sk-ferry-secret\n' });
    expect(stderr).toContain('Created key laptop (key_1)');
    expect(stderr).not.toContain('sk-ferry-secret');
  });

  it('lists keys', async () => {
    responses.set('GET /api/keys', list([key]));
    const [heading, row] = (await ferry('keys list')).stdout.split('\n');
    expect(heading).toMatch(/^NAME +ENDS IN +LIMITS +CLUSTERS +EXPIRES +LAST USED +SCOPES +DESCRIPTION +BY$/);
    expect(row).toMatch(/^laptop +Qx9z +60\/min, 4 at once +all +- +- +inference +- +-$/);
  });

  it('revokes by id or name, whatever characters it has', async () => {
    responses.set('DELETE /api/keys/my%2Fkey', { status: 200, body: key });
    const { code, stdout } = await ferry('keys revoke my/key --yes');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  });

  it('exits 5 with the request id when there is no such key', async () => {
    responses.set('DELETE /api/keys/nope', {
      status: 404,
      body: { code: 'key_not_found', detail: 'No such key.', request_id: 'req_7' },
    });
    const { code, stdout, stderr } = await ferry('keys revoke nope --yes --json');
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'key_not_found', hint: 'ferry keys list', request_id: 'req_7' },
    });
  });
});

describe('ferry nodes', () => {
  it('prints a join token alone on stdout and the whole command beside it', async () => {
    const body = {
      join_token: 'ferry-join-x',
      expires_at: 1_763_600_900,
      cluster_id: 'cl_1',
      command: 'ferry node join …',
      install_command: 'curl …',
      install_command_windows: 'irm …',
      warning: null,
    };
    responses.set('POST /api/join-tokens', { status: 201, body });
    const { stdout, stderr } = await ferry('nodes join-token --cluster cl_8f2a91aa');
    expect(stdout).toBe('ferry-join-x\n');
    expect(stderr).toContain('ferry node join …');
    expect(received[0]?.body).toBe('{"cluster_id":"cl_8f2a91aa"}');
  });

  it('says which one is paused, by its whole name, where a part of it was typed', async () => {
    const desk = { object: 'node', node_id: 'nd_1', name: 'desk in the attic', cluster_id: 'cl_1' };
    responses.set('GET /api/nodes', list([desk]));
    responses.set('POST /api/nodes/nd_1/pause', { status: 200, body: desk });
    expect((await ferry('nodes pause desk')).stderr).toBe(
      'Paused desk in the attic: it gets no new requests, and finishes what it has.\n' +
        "  next: ferry nodes resume 'desk in the attic'\n",
    );
  });

  it('says how to add the first one', async () => {
    responses.set('GET /api/nodes', list([]));
    const { code, stdout, stderr } = await ferry('nodes');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^NAME +CLUSTER/);
    expect(stderr).toContain('ferry nodes join-token');
  });
});

describe('ferry models', () => {
  const tiny = {
    id: 'tiny',
    selector: 'mdl_0123456789abcdef',
    display_name: 'tiny',
    canonical_name: 'tiny',
    object: 'model',
    created: 1,
    owned_by: 'ferry',
    loaded: true,
    clusters: [
      { cluster_id: 'cl_8f2a91aa', loaded: true },
      { cluster_id: 'cl_lab00000', loaded: false },
    ],
  };

  it('shows for each cluster whether a model is loaded or only installed', async () => {
    const onNode = { selector: tiny.selector, size_bytes: 1_300_000, context_length: 4_096 };
    responses.set('GET /api/models', list([tiny]));
    responses.set('GET /api/clusters', list([cluster]));
    responses.set(
      'GET /api/nodes',
      list([
        { cluster_id: 'cl_8f2a91aa', models: [{ ...onNode, state: 'loaded' }] },
        { cluster_id: 'cl_lab00000', models: [{ ...onNode, state: 'loading', context_length: null }] },
      ]),
    );
    expect((await ferry('models')).stdout).toBe(
      [
        'MODEL  CLUSTER      STATE      SIZE  CONTEXT',
        'tiny   home         loaded   1.3 MB     4096',
        'tiny   cl_lab00000  loading  1.3 MB        -',
        '',
      ].join('\n'),
    );
  });

  it('ferry models is the list of the API with --json', async () => {
    responses.set('GET /api/models', list([tiny]));
    responses.set('GET /api/nodes', list([]));
    const { data } = JSON.parse((await ferry('models list --json')).stdout) as { data: unknown[] };
    const { id, created: _created, ...rest } = tiny;
    expect(data).toEqual([
      expect.objectContaining({
        ...rest,
        model: id,
        state: 'loaded',
        size_bytes: null,
        created_at: expect.any(String),
      }),
    ]);
  });
});

describe('connection failures', () => {
  it('refuses a path of Windows where it would be a folder of that name', async () => {
    const { code, stderr } = await ferry('status --data-dir C:\\Users\\ada\\ferry');
    expect([code, stderr]).toEqual([
      2,
      'error: C:\\Users\\ada\\ferry is a path of Windows\n  try: in WSL it is /mnt/c/Users/ada/ferry\n',
    ]);
  });

  it('refuses a directory in /proc, where nothing can be made and Node would try for ever', async () => {
    const { code, stderr } = await ferry('up --data-dir /proc/ferry');
    expect([code, stderr]).toEqual([
      2,
      'error: nothing can be made in /proc: /proc/ferry\n  try: choose a directory of a disk\n',
    ]);
  });

  it('says what an option takes, where another value was given', async () => {
    for (const [words, name] of [
      ['users invite --role boss', '--role'],
      ['users role ann boss', 'role'],
    ] as const) {
      const { code, stderr } = await ferry(words);
      expect([code, stderr]).toEqual([2, `error: ${name} cannot be "boss"\n  try: one of owner, admin, member\n`]);
    }
  });

  it('makes an owner of an e-mail address only', async () => {
    const { code, stderr } = await ferry('users create-owner ada');
    expect([code, stderr]).toEqual([
      2,
      'error: ada is not an e-mail address\n  try: ferry users create-owner ada@example.com\n',
    ]);
  });

  it('ends with 3 when it cannot be reached', async () => {
    const { code, stderr } = await ferry('clusters', { FERRY_BASE_URL: 'http://127.0.0.1:9' });
    expect(code).toBe(3);
    expect(stderr).toContain('cannot reach the relay at http://127.0.0.1:9');
  });

  it('exits 4 without a sign-in, or with an invalid token', async () => {
    expect((await ferry('clusters', { FERRY_TOKEN: '' })).code).toBe(4);
    responses.set('GET /api/clusters', { status: 401, body: { code: 'invalid_credential', detail: 'Unknown token.' } });
    expect((await ferry('clusters')).code).toBe(4);
  });
});

describe('JSON errors', () => {
  it.each([
    [['keys', 'list', '--json'], true],
    [['--output', 'json', 'keys'], true],
    [['--output=json'], true],
    [['keys', 'create', '--', '--json'], false],
    [['--output', 'table'], false],
  ])('%p: %p', (argv, expected) => {
    expect(wantsJson(argv)).toBe(expected);
  });
});
