/** Every command with a documented shape, as a program runs it: what is on stdout is of that shape, and nothing else is there. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse as parseYaml } from 'yaml';
import { CommandLine } from '../../test/support/cli/command-line.js';
import { shapeProblems } from '../../test/support/cli/shape-problems.js';
import type { Schemas } from './core/api/management-api.types.js';
import { jsonShapes } from './json-shapes.js';

const NODE = `nd_${'1'.repeat(12)}`;
const created = 1_763_600_000;
const cluster: Schemas['Cluster'] = {
  object: 'cluster',
  cluster_id: 'cl_8f2a91aa',
  name: 'home',
  nodes: 2,
  online: 1,
  loaded: ['qwen3:8b'],
  models: 7,
  created,
};
const node: Schemas['Node'] = {
  object: 'node',
  node_id: NODE,
  name: 'desk',
  cluster_id: cluster.cluster_id,
  status: 'active',
  online: true,
  paused: false,
  accepts_work: true,
  health: 'healthy',
  health_reason: null,
  problem: null,
  fingerprint: 'apple river stone',
  last_seen: created,
  created,
  platform: 'linux-x64',
  agent_version: '0.1.0',
  round_trip_ms: 1.5,
  engines: [
    {
      name: 'a',
      kind: 'ollama',
      version: null,
      slots_total: 4,
      slots_used: 1,
      queue_depth: 0,
      problem: null,
      problem_since: null,
    },
  ],
  problem_since: null,
  memory: { total_bytes: 64_000_000_000, free_bytes: 23_000_000_000 },
  gpus: [{ name: 'GPU', total_bytes: 24_000_000_000, free_bytes: null, unified: false }],
  models: [
    {
      key: 'ollama/qwen3:8b',
      selector: 'mdl_0123456789abcdef',
      display_name: 'Qwen3 8B',
      engine: 'ollama',
      state: 'loaded',
      reason: null,
      quantization: 'Q4_K_M',
      size_bytes: 5_200_000_000,
      context_length: 40_960,
      inputs: ['text'],
      tools: true,
      reasoning: null,
      embedding: false,
      health: 'healthy',
      health_reason: null,
    },
  ],
};
const model: Schemas['Model'] = {
  id: 'Qwen3 8B',
  selector: 'mdl_0123456789abcdef',
  display_name: 'Qwen3 8B',
  canonical_name: 'qwen3:8b',
  object: 'model',
  created,
  owned_by: 'ferry',
  loaded: true,
  clusters: [{ cluster_id: cluster.cluster_id, loaded: true }],
};
const JOB = `op_${'2'.repeat(32)}`;
const job: Schemas['Operation'] = {
  object: 'operation',
  id: JOB,
  kind: 'load',
  node_id: NODE,
  node_name: 'desk',
  node_online: true,
  engine: 'ollama',
  model: 'qwen3:8b',
  model_key: 'ollama/qwen3:8b',
  source: null,
  load: false,
  context_tokens: null,
  state: 'running',
  phase: 'loading',
  completed_bytes: null,
  total_bytes: null,
  bytes_per_second: null,
  failure: null,
  cancel_requested: false,
  created_by: null,
  created_at: '2025-11-20T10:15:00.000Z',
  updated_at: '2025-11-20T10:15:00.000Z',
  finished_at: null,
};
const key: Schemas['Key'] = {
  object: 'api_key',
  key_id: 'key_1',
  name: 'laptop',
  description: 'for tests',
  last4: 'Qx9z',
  scopes: ['inference'],
  cluster_ids: null,
  limits: { requests_per_minute: 60, tokens_per_minute: null, concurrency: null },
  created_by: null,
  created,
  expires: null,
  last_used: null,
  revoked: null,
};
const user: Schemas['User'] = {
  object: 'user',
  user_id: 'usr_1',
  email: 'ann@example.com',
  name: 'Ann',
  role: 'owner',
  disabled: false,
  created,
  last_sign_in: null,
  password_expires: null,
};
const invite: Schemas['Invite'] = {
  object: 'invite',
  invite_id: 'inv_1',
  role: 'member',
  created_by: null,
  created,
  expires: created,
};
const figures: Schemas['UsageFigures'] = {
  requests: 3,
  completed: 2,
  failed: 0,
  cancelled: 1,
  timed_out: 0,
  rejected: 0,
  input_tokens: 12_345,
  cached_tokens: 0,
  output_tokens: 7,
  reasoning_tokens: 0,
  estimated_requests: 1,
};
const candidate: Schemas['Candidate'] = {
  node_id: NODE,
  node_name: 'desk',
  cluster_id: cluster.cluster_id,
  eligible: true,
  reason: 'eligible',
  slots: null,
  cost_ms: 340,
  parts: { queue_ms: 0, prefill_ms: 100, decode_ms: 240, link_ms: 2, affinity_ms: -2 },
};
const request: Schemas['ExplainedRequest'] = {
  object: 'request',
  id: 'req_1',
  model: 'tiny',
  dialect: 'chat',
  decided_at: '2025-11-20T10:15:00.000Z',
  outcome: 'completed',
  queue: { waited_ms: 12, position: 1 },
  decisions: [{ at: '2025-11-20T10:15:00.000Z', candidates: [candidate], chosen: NODE, reason: 'cheapest' }],
  attempts: [
    {
      node_id: NODE,
      node_name: 'desk',
      result: 'answered',
      reason: null,
      hedge: false,
      at: '2025-11-20T10:15:00.000Z',
    },
  ],
  retried: false,
  hedged: false,
};
const running: Schemas['RunningRequest'] = {
  object: 'running_request',
  id: 'req_9f2c1a7e9a7d4f6889e2c4b7d0a1f352',
  key_id: 'key_1',
  key_name: 'laptop',
  model: 'qwen3:8b',
  node_id: NODE,
  node_name: 'desk',
  dialect: 'chat',
  stream: true,
  state: 'decode',
  output_events: 412,
  age_ms: 10_190,
  ttft_ms: 190,
};
const logged: Schemas['LoggedRequest'] = {
  object: 'usage.request',
  id: 'req_1',
  started_at: '2025-11-20T10:15:00.000Z',
  key_id: 'key_1',
  key_name: 'laptop',
  node_id: NODE,
  node_name: 'desk',
  cluster_id: 'cl_8f2a91aa',
  cluster_name: 'home',
  model: 'mdl_00112233aabbccdd',
  model_name: 'tiny',
  dialect: 'chat',
  stream: true,
  outcome: 'completed',
  code: null,
  attempts: 1,
  retried: false,
  input_tokens: 12,
  cached_tokens: 0,
  output_tokens: 41,
  reasoning_tokens: 0,
  source: 'engine',
  queue_ms: 12,
  ttft_ms: 190,
  duration_ms: 1_190,
};
const event: Schemas['AuditEvent'] = {
  object: 'audit_event',
  id: 'evt_1',
  created_at: '2025-11-20T10:15:00.000Z',
  action: 'key.create',
  actor: { kind: 'cli-token', user_id: null, credential_id: 'clt_1', name: 'up' },
  target: { kind: 'api_key', id: 'key_1' },
  detail: { name: 'laptop' },
  ip: '127.0.0.1',
  user_agent: null,
};
const who: Schemas['WhoAmI'] = {
  account_id: 'acc_1',
  user: null,
  has_password: false,
  role: 'owner',
  credential: { kind: 'cli_token', id: 'clt_1', name: 'up' },
  service: { name: 'ferry', version: '0.1.0' },
};
const usage: Schemas['Usage'] = {
  object: 'usage',
  since: 'x',
  until: 'y',
  by: 'model',
  data: [{ key: 'tiny', name: null, ...figures }],
  has_more: false,
  totals: figures,
};

let line: CommandLine;
beforeAll(async () => {
  line = await CommandLine.start();
  line.answer('GET /api/whoami', who);
  line.list('GET /api/clusters', cluster);
  line.answer('POST /api/clusters', cluster, 201);
  line.answer('PATCH /api/clusters/cl_8f2a91aa', cluster);
  line.answer('DELETE /api/clusters/cl_8f2a91aa', {}, 200);
  line.list('GET /api/nodes', node);
  line.answer(`GET /api/nodes/${NODE}`, node);
  line.answer(`PATCH /api/nodes/${NODE}`, node);
  for (const verb of ['pause', 'resume', 'confirm']) line.answer(`POST /api/nodes/${NODE}/${verb}`, node);
  line.answer('GET /api/nodes/device-codes/BCDF-GHJK', { ...node, ip: '10.0.0.7', warning: 'Is it yours?' });
  line.answer('POST /api/nodes/device-codes/BCDF-GHJK/approve', node);
  const joinToken = {
    join_token: 'ferry-join-x',
    expires_at: created,
    cluster_id: 'cl_8f2a91aa',
    command: 'ferry …',
    install_command: 'curl …',
    install_command_windows: 'irm …',
    commands: { unix: 'curl …', windows: 'irm …', ferry: 'ferry …' },
    reachable: 'network',
    warning: null,
  };
  line.answer('POST /api/join-tokens', joinToken, 201);
  line.list('GET /api/keys', key);
  line.answer('POST /api/keys', { ...key, key: 'sk-ferry-new', warnings: [] }, 201);
  line.answer('PATCH /api/keys/laptop', key);
  line.answer('DELETE /api/keys/laptop', key);
  const rolled = { ...key, key: 'sk-ferry-new', warnings: [], previous: { ...key, expires: created } };
  line.answer('POST /api/keys/laptop/roll', rolled, 201);
  line.list('GET /api/models', model);
  line.answer('POST /api/operations', job, 202);
  line.list('GET /api/operations?limit=200&state=queued,running', job);
  line.answer(`GET /api/operations/${JOB}`, job);
  line.answer(`POST /api/operations/${JOB}/cancel`, { ...job, cancel_requested: true }, 202);
  line.handle(`GET /api/operations/${JOB}/events`, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const states = [job, { ...job, state: 'succeeded', finished_at: job.created_at }];
    response.end(states.map((state) => `event: operation\ndata: ${JSON.stringify(state)}\n\n`).join(''));
  });
  line.list('GET /api/users', user);
  line.answer('PATCH /api/users/usr_1', { ...user, role: 'admin' });
  line.answer('DELETE /api/users/usr_1', user);
  line.list('GET /api/invites', invite);
  line.answer(
    'POST /api/invites',
    { ...invite, invite_token: 'x', link: 'https://relay.example/console/invite#x', accept_command: 'curl' },
    201,
  );
  line.answer('DELETE /api/invites/inv_1', invite);
  line.answer('GET /api/usage?by=model', usage);
  line.list('GET /api/audit?limit=100', event);
  line.answer('GET /api/requests/req_1', request);
  line.list('GET /api/requests?limit=1', request);
  line.list('GET /api/usage/requests?limit=20', logged);
  line.list('GET /api/usage/requests?outcome=failed&since=1h&limit=3', { ...logged, code: 'engine_error' });
  line.list('GET /api/requests/running', running);
  line.list('GET /api/catalog?source=hf&q=qwen3+coder', {
    object: 'catalog_model',
    id: 'Qwen/Qwen3-Coder-GGUF',
    downloads: 120_000,
    likes: 300,
    gated: false,
    updated: created,
  });
  line.answer('GET /api/usage/requests/req_1', logged);
  line.handle('POST /v1/chat/completions', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
  });
});
afterAll(() => line.stop());

/** One command line for each of the shapes. */
const commandLines: Readonly<Record<string, string>> = {
  status: 'status',
  whoami: 'whoami',
  'profiles list': 'profiles list',
  'clusters list': 'clusters list',
  'clusters create': 'clusters create lab',
  'clusters rename': 'clusters rename home lab',
  'nodes list': 'nodes list',
  'nodes show': 'nodes show desk',
  'nodes rename': 'nodes rename desk table',
  'nodes move': 'nodes move desk home',
  'nodes pause': 'nodes pause desk',
  'nodes resume': 'nodes resume desk',
  'nodes approve': 'nodes approve BCDF-GHJK --yes',
  'nodes confirm': 'nodes confirm desk apple river stone',
  'nodes join-token': 'nodes join-token --cluster home',
  'models list': 'models list',
  'models show': 'models show mdl_0123456789abcdef',
  'models search': 'models search qwen3 coder',
  'models ps': 'models ps',
  'models install': 'models install qwen3:8b --node desk',
  'models load': 'models load qwen3:8b',
  'models unload': 'models unload qwen3:8b',
  'models remove': 'models remove qwen3:8b --yes',
  'models jobs list': 'models jobs list',
  'models jobs watch': `models jobs watch ${JOB}`,
  'models jobs cancel': `models jobs cancel ${JOB}`,
  'keys list': 'keys list',
  'keys create':
    'keys create laptop --description tests --scope inference,models:read --cluster home --expires 90d --rpm 60 --tpm none',
  'keys update': 'keys update laptop --concurrency 4',
  'keys roll': 'keys roll laptop --overlap 1h',
  'keys revoke': 'keys revoke laptop',
  'users list': 'users list',
  'users role': 'users role Ann@Example.com admin',
  'users remove': 'users remove usr_1 --yes',
  'users invite': 'users invite --role admin',
  'users invites': 'users invites',
  'users revoke-invite': 'users revoke-invite inv_1',
  usage: 'usage',
  audit: 'audit',
  top: 'top --once',
  requests: 'requests',
  explain: 'explain req_1',
  run: 'run mdl_0123456789abcdef hi',
  chat: 'chat -m tiny hi',
  env: 'env claude -m tiny',
  connect: 'connect codex -m mdl_0123456789abcdef --print',
};

const KEY = { FERRY_API_KEY: 'sk-ferry-x' };

describe('JSON output of commands', () => {
  it('has a command line in this test for every documented shape', () => {
    // What `ferry node` says is about a computer of its own: test/e2e/this-computer.spec.ts.
    const ofRelay = Object.keys(jsonShapes).filter((words) => !words.startsWith('node '));
    expect(Object.keys(commandLines).sort()).toEqual(ofRelay.sort());
  });

  it.each(Object.keys(commandLines))('ferry %s: the documented shape, as JSON and as YAML', async (words) => {
    const { kind } = jsonShapes[words]!;
    const command = commandLines[words]!;
    const json = await line.ferry(`${command} --json`, KEY);
    expect({ code: json.code, stderr: json.code === 0 ? '' : json.stderr }).toEqual({ code: 0, stderr: '' });
    const yaml = await line.ferry(`${command} --output yaml`, KEY);
    const last = kind === 'lines' ? json.stdout.trimEnd().split('\n').at(-1)! : json.stdout;
    for (const printed of [JSON.parse(last), parseYaml(yaml.stdout)] as { data: unknown[] }[]) {
      const documents = kind === 'list' ? printed.data : [printed];
      if (kind === 'list') expect(printed).toMatchObject({ object: 'list' });
      for (const document of documents) expect(shapeProblems(words, document)).toEqual([]);
      expect(words === 'profiles list' ? 1 : documents.length).toBe(1);
    }
  });

  it.each(Object.keys(commandLines))('ferry %s: has human-readable output, too', async (words) => {
    const { code } = await line.ferry(commandLines[words]!, KEY);
    expect(code).toBe(0);
  });

  it('sends only the given options', async () => {
    line.received.length = 0;
    await line.ferry(commandLines['keys create']!, KEY);
    const sent = JSON.parse(line.received.at(-1)?.body ?? '') as Record<string, unknown>;
    expect(sent).toEqual({
      name: 'laptop',
      description: 'tests',
      scopes: ['inference', 'models:read'],
      cluster_ids: ['cl_8f2a91aa'],
      expires_in_seconds: expect.any(Number),
      limits: { requests_per_minute: 60, tokens_per_minute: null },
    });
    expect(Math.abs(Number(sent['expires_in_seconds']) - 90 * 86_400)).toBeLessThan(60);
  });

  it('follows the pages of a list to its end', async () => {
    line.answer('GET /api/invites', { object: 'list', data: [invite], has_more: true, next_cursor: 'a b' });
    line.answer('GET /api/invites?cursor=a%20b', {
      object: 'list',
      data: [invite],
      has_more: false,
      next_cursor: null,
    });
    const { stdout } = await line.ferry('users invites --json');
    expect((JSON.parse(stdout) as { data: unknown[] }).data).toHaveLength(2);
    line.list('GET /api/invites', invite);
  });

  it('asks before it deletes, and refuses without a terminal', async () => {
    for (const command of ['clusters delete home', `nodes delete ${NODE}`, 'users remove usr_1']) {
      line.received.length = 0;
      expect(await line.ferry(command)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
      expect(line.received.filter(({ route }) => !route.startsWith('GET'))).toEqual([]);
    }
    expect((await line.ferry('clusters delete home --yes')).code).toBe(0);
  });
});

describe('human-readable ferry explain', () => {
  it('shows the chosen node, its cost and the outcome', async () => {
    const { stdout } = await line.ferry('explain req_1');
    expect(stdout).toMatch(/^req_1 · tiny · completed · 41 tokens · 1\.19 s$/m);
    expect(stdout).toMatch(/^first token +0\.10 s +0\.19 s$/m);
    expect(stdout).toMatch(/^total +0\.34 s +1\.19 s$/m);
    expect(stdout).toMatch(/^waited 0\.01 s, came in at place 1$/m);
    expect(stdout).toMatch(/^Decision: desk \(cheapest\)$/m);
    expect(stdout).toMatch(/^✓ +desk +0\.10 s +0\.34 s +- +chosen: cheapest, warm prefix saves 0\.00 s$/m);
    const wide = await line.ferry('explain --wide');
    expect(wide.stdout).toMatch(/^✓ +desk +0\.10 s +0\.34 s +- +0\.00 s +0\.10 s +0\.24 s +0\.00 s +-0\.00 s +chosen/m);
  });

  it('shows every attempt where there were several', async () => {
    const [attempt] = request.attempts;
    line.answer('GET /api/requests/req_1', {
      ...request,
      attempts: [{ ...attempt!, result: 'lost', reason: 'link_lost' }, attempt!],
    });
    const { stdout } = await line.ferry('explain req_1');
    expect(stdout).toContain('desk: lost (link_lost)');
    expect(stdout).toContain('desk: answered');
  });
});

describe('ferry requests', () => {
  it('shows tokens, speed and times, ids whole in a pipe', async () => {
    const { stdout } = await line.ferry('requests');
    expect(stdout).toMatch(/laptop +tiny +desk +completed +41 +40\.0 +0\.19 s +1\.19 s +req_1$/m);
  });

  it('asks the relay for what was chosen, by id', async () => {
    line.list('GET /api/usage/requests?key_id=key_1&node_id=' + NODE + '&outcome=failed&since=24h&limit=5');
    const { code, stderr } = await line.ferry(
      'requests --key laptop --node desk --outcome failed --since 24h --limit 5',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('no requests') });
  });
});

describe('ferry top', () => {
  it('needs a terminal, unless one frame is enough', async () => {
    expect(await line.ferry('top')).toMatchObject({ code: 2, stderr: expect.stringContaining('--once') });
    const { stdout } = await line.ferry('top --once');
    expect(stdout).toMatch(/^● desk +Qwen3 8B +█░░░ 1\/4 +41\.1 +0 +\S.* GB +1\.5 ms$/m);
    expect(stdout).toMatch(/^req_9f2c1a7e… +laptop +qwen3:8b +desk +decode +412 +41\.1 +10 s$/m);
    expect(stdout).toContain('tiny: engine_error on desk');
  });
});
