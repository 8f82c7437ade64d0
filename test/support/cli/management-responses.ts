/** One item of every kind that the management API lists, and a fake relay that responds with them. */
import type { Schemas } from '../../../src/cli/core/api/management-api.types.js';
import type { CommandLine } from './command-line.js';
import { cluster, created, history, node, NODE, starter } from './node-responses.js';

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
export const JOB = `op_${'2'.repeat(32)}`;
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
  dismissed_at: null,
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
  openid: false,
};
export const invite: Schemas['Invite'] = {
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
export const request: Schemas['ExplainedRequest'] = {
  object: 'request',
  id: 'req_1',
  model: 'tiny',
  dialect: 'chat',
  decided_at: '2025-11-20T10:15:00.000Z',
  outcome: 'completed',
  queue: { waited_ms: 12, position: 1 },
  decisions: [
    {
      at: '2025-11-20T10:15:00.000Z',
      candidates: [candidate],
      considered: 1,
      placements: 1,
      chosen: NODE,
      reason: 'cheapest',
    },
  ],
  missing: null,
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
export const logged: Schemas['LoggedRequest'] = {
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
  requested_model: 'tiny',
  dialect: 'chat',
  stream: true,
  outcome: 'completed',
  code: null,
  message: null,
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
  permissions: ['keys:read', 'keys:write'],
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

const extension: Schemas['Extension'] = {
  object: 'extension',
  name: 'count-tokens',
  enabled: true,
  default_enabled: false,
  summary: 'Counts.',
  gains: 'Claude Code.',
};

export function respondToEverything(line: Pick<CommandLine, 'respond' | 'list' | 'handle'>): void {
  line.respond('GET /api/whoami', who);
  line.list('GET /api/clusters', cluster);
  line.respond('POST /api/clusters', cluster, 201);
  line.respond('PATCH /api/clusters/cl_8f2a91aa', cluster);
  line.respond('DELETE /api/clusters/cl_8f2a91aa', {}, 200);
  line.list('GET /api/nodes', node);
  line.respond(`GET /api/nodes/${NODE}`, node);
  line.respond(`GET /api/nodes/${NODE}/history?range=hour`, history);
  line.respond(`PATCH /api/nodes/${NODE}`, node);
  line.list(`GET /api/nodes/${NODE}/starter-models`, starter);
  for (const verb of ['pause', 'resume', 'confirm']) line.respond(`POST /api/nodes/${NODE}/${verb}`, node);
  line.respond('GET /api/nodes/device-codes/BCDF-GHJK', { ...node, ip: '10.0.0.7', warning: 'Is it yours?' });
  line.respond('POST /api/nodes/device-codes/BCDF-GHJK/approve', node);
  const joinToken = {
    join_token_id: 'join_1',
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
  line.respond('POST /api/join-tokens', joinToken, 201);
  const openJoinToken = {
    object: 'join_token',
    join_token_id: 'join_1',
    cluster_id: 'cl_8f2a91aa',
    created_by: 'usr_1',
    created,
    expires: created,
  };
  line.list('GET /api/join-tokens', openJoinToken);
  line.respond('DELETE /api/join-tokens/join_1', openJoinToken);
  const cliToken = {
    object: 'cli_token',
    cli_token_id: 'cli_1',
    name: 'laptop',
    user_id: 'usr_1',
    role: 'owner',
    last4: 'abcd',
    created,
    expires: null,
  };
  line.list('GET /api/cli-tokens', cliToken);
  line.respond('DELETE /api/cli-tokens/cli_1', cliToken);
  line.list('GET /api/keys', key);
  line.respond('POST /api/keys', { ...key, key: 'sk-ferry-new', warnings: [] }, 201);
  line.respond('PATCH /api/keys/laptop', key);
  line.respond('DELETE /api/keys/laptop', key);
  const rolled = { ...key, key: 'sk-ferry-new', warnings: [], previous: { ...key, expires: created } };
  line.respond('POST /api/keys/laptop/roll', rolled, 201);
  line.list('GET /api/models', model);
  line.respond('POST /api/operations', job, 202);
  line.list('GET /api/operations?limit=200&state=queued%2Crunning', job);
  line.respond(`GET /api/operations/${JOB}`, job);
  line.respond(`POST /api/operations/${JOB}/cancel`, { ...job, cancel_requested: true }, 202);
  line.respond(`POST /api/operations/${JOB}/retry`, job, 202);
  line.respond(`POST /api/operations/${JOB}/dismiss`, { ...job, state: 'failed' });
  line.handle(`GET /api/operations/${JOB}/events`, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const states = [job, { ...job, state: 'succeeded', finished_at: job.created_at }];
    response.end(states.map((state) => `event: operation\ndata: ${JSON.stringify(state)}\n\n`).join(''));
  });
  const ofNode = `node_id=${NODE}`;
  line.list(`GET /api/operations?${ofNode}&limit=50`, job);
  line.list(`GET /api/audit?object=${NODE}&limit=50`, { ...event, action: 'node.enrol' });
  for (const outcome of ['failed', 'timed_out', 'rejected']) {
    line.list(`GET /api/usage/requests?${ofNode}&outcome=${outcome}&limit=50`);
  }
  line.list('GET /api/extensions', extension);
  line.respond('PATCH /api/extensions/count-tokens', extension);
  line.list('GET /api/users', user);
  line.respond('PATCH /api/users/usr_1', { ...user, role: 'admin' });
  line.respond('DELETE /api/users/usr_1', user);
  line.list('GET /api/invites', invite);
  line.respond(
    'POST /api/invites',
    {
      ...invite,
      invite_token: 'x',
      link: 'https://relay.example/console/invite#x',
      accept_command: 'curl',
      warning: null,
    },
    201,
  );
  line.respond('DELETE /api/invites/inv_1', invite);
  line.respond('GET /api/usage?by=model', usage);
  line.list('GET /api/audit?limit=100', event);
  line.respond('GET /api/requests/req_1', request);
  line.list('GET /api/requests?limit=1', request);
  line.list('GET /api/requests?limit=200', request);
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
  line.respond('GET /api/usage/requests/req_1', logged);
  line.handle('POST /v1/chat/completions', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
  });
}
