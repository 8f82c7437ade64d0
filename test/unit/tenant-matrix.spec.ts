/**
 * docs/reference/failures.md#tenant-matrix, B12: every route of `/api` and `/v1`, with every id of another account in every position,
 * for every kind of credential and role. Routes are read from the router: one that is not in the table fails the suite.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toCursor } from '../../src/relay/platform/api/pagination/cursor.js';
import { permits } from '../../src/relay/platform/access/permissions.js';
import type { Role } from '../../src/relay/platform/access/principal.js';
import { declaredRoutes, type DeclaredRoute } from '../../scripts/openapi/declared-routes.js';
import { absentIds, createTenant, type Tenant, type TenantIds } from '../support/relay/tenants.js';
import { RelayHarness } from '../support/relay/relay.harness.js';

/** A request that names something of another account. */
interface Reach {
  /** Values of path parameters. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** 404 by default; a filter finds nothing instead. */
  readonly status?: number;
}

type Reaches = (theirs: TenantIds, mine: TenantIds) => readonly Reach[];

/** The route takes no id. */
const nothing: Reaches = () => [];

const pinned =
  (body?: object): Reaches =>
  (theirs) => [{ headers: { 'x-cluster-id': theirs.cluster }, ...(body && { body }) }];

const chat = { model: 'tiny', messages: [{ role: 'user', content: 'hello' }] };

/** An id before all existing ones: only a lookup by id could return more. */
const cursorAt = (id: string): string => toCursor({ at: new Date(0), id });

const table: Readonly<Record<string, Reaches>> = {
  'GET /v1/models': pinned(),
  'POST /v1/chat/completions': pinned(chat),
  'POST /v1/completions': pinned({ model: 'tiny', prompt: 'hello' }),
  'POST /v1/messages': pinned({ ...chat, max_tokens: 8 }),
  'POST /v1/responses': (theirs, mine) => [
    ...pinned({ model: 'tiny', input: 'hello' })(theirs, mine),
    // No node is online, which is checked before the response (docs/reference/api-behaviour.md#order-of-checks).
    { body: { model: 'tiny', input: 'hello', previous_response_id: theirs.response }, status: 503 },
  ],

  'GET /api/openapi.json': nothing,
  'GET /api/stream-check': nothing,
  // Refused before the remote catalogue is queried.
  'GET /api/catalog': ({ cluster }) => [{ query: { source: cluster, q: 'x' }, status: 400 }],
  'GET /api/catalog/hf/:owner/:repository': ({ cluster }) => [{ path: { owner: cluster, repository: '.x' } }],
  'GET /api/whoami': nothing,
  'POST /api/sign-in': nothing,
  'POST /api/sign-up': nothing,
  'GET /api/oidc/start': nothing,
  'GET /api/oidc/callback': nothing,
  // Authorised by a proof that only the relay's secret can create, not by an account.
  'POST /api/local/reset-password': nothing,
  'POST /api/local/console-link': nothing,
  'POST /api/local/create-owner': nothing,
  'POST /api/sign-in/link': nothing,
  'GET /api/sign-in/methods': nothing,
  'POST /api/sign-out': nothing,
  'POST /api/sign-out-everywhere': nothing,
  'POST /api/password': nothing,
  'POST /api/password/first': nothing,
  'GET /api/sessions': nothing,
  'DELETE /api/sessions/:sessionId': ({ session }) => [{ path: { sessionId: session } }],
  'GET /api/cli-tokens': nothing,
  'DELETE /api/cli-tokens/:cliTokenId': ({ cliToken }) => [{ path: { cliTokenId: cliToken } }],
  'GET /api/account': nothing,
  'PATCH /api/account': nothing,
  'GET /api/extensions': nothing,
  'PATCH /api/extensions/:extension': nothing,

  'GET /api/users': nothing,
  'PATCH /api/users/:userId': ({ user }) => [
    { path: { userId: user }, body: { role: 'member' } },
    { path: { userId: user }, body: { disabled: true } },
  ],
  'DELETE /api/users/:userId': ({ user }) => [{ path: { userId: user } }],
  'POST /api/users/:userId/erase': ({ user }) => [{ path: { userId: user } }],
  'POST /api/users/:userId/reset-password': ({ user }) => [{ path: { userId: user } }],
  'GET /api/invites': nothing,
  'POST /api/invites': nothing,
  'DELETE /api/invites/:inviteId': ({ invite }) => [{ path: { inviteId: invite } }],
  'POST /api/invites/accept': nothing,
  'POST /api/invites/show': nothing,

  // A code belongs to no account until it is approved, and anyone who reads it from the screen may approve it.
  'POST /api/device-login': nothing,
  'POST /api/device-login/token': nothing,
  'POST /api/device-login/approve': nothing,
  'POST /api/device-login/deny': nothing,
  'GET /api/device-login/:userCode': nothing,

  'GET /api/keys': nothing,
  'POST /api/keys': ({ cluster }) => [{ body: { name: 'reach', cluster_ids: [cluster] } }],
  'PATCH /api/keys/:idOrName': ({ key, keyName }) => [
    { path: { idOrName: key }, body: { name: 'stolen' } },
    { path: { idOrName: keyName }, body: { name: 'stolen' } },
  ],
  'POST /api/keys/:idOrName/roll': ({ key, keyName }) => [
    { path: { idOrName: key }, body: { overlap: '0' } },
    { path: { idOrName: keyName }, body: { overlap: '0' } },
  ],
  'DELETE /api/keys/:idOrName': ({ key, keyName }) => [{ path: { idOrName: key } }, { path: { idOrName: keyName } }],

  'GET /api/clusters': nothing,
  'POST /api/clusters': nothing,
  'PATCH /api/clusters/:clusterId': ({ cluster }) => [{ path: { clusterId: cluster }, body: { name: 'stolen' } }],
  'DELETE /api/clusters/:clusterId': ({ cluster }) => [{ path: { clusterId: cluster } }],
  'GET /api/join-tokens': nothing,
  'DELETE /api/join-tokens/:joinTokenId': ({ joinToken }) => [{ path: { joinTokenId: joinToken } }],
  'POST /api/join-tokens': ({ cluster }) => [{ body: { cluster_id: cluster } }],

  'GET /api/nodes': nothing,
  'GET /api/nodes/:nodeId': ({ node }) => [{ path: { nodeId: node } }],
  'GET /api/nodes/:nodeId/history': ({ node }) => [{ path: { nodeId: node } }],
  'PATCH /api/nodes/:nodeId': (theirs, mine) => [
    { path: { nodeId: theirs.node }, body: { name: 'stolen' } },
    { path: { nodeId: theirs.node }, body: { cluster_id: mine.cluster } },
    { path: { nodeId: mine.node }, body: { cluster_id: theirs.cluster } },
  ],
  'GET /api/nodes/:nodeId/starter-models': ({ node }) => [{ path: { nodeId: node } }],
  'POST /api/nodes/:nodeId/pause': ({ node }) => [{ path: { nodeId: node } }],
  'POST /api/nodes/:nodeId/resume': ({ node }) => [{ path: { nodeId: node } }],
  'POST /api/nodes/:nodeId/confirm': ({ node }) => [{ path: { nodeId: node }, body: { fingerprint: 'one two three' } }],
  'DELETE /api/nodes/:nodeId': ({ node }) => [{ path: { nodeId: node } }],

  // As for the command line codes above, but the cluster that the node joins belongs to an account.
  'GET /api/nodes/device-codes/:userCode': nothing,
  'POST /api/nodes/device-codes/:userCode/approve': ({ cluster }) => [{ body: { cluster_id: cluster } }],

  'GET /api/devices/:userCode': nothing,
  'POST /api/devices/:userCode/approve': ({ cluster }) => [{ body: { cluster_id: cluster } }],
  'POST /api/devices/:userCode/deny': nothing,

  'GET /api/models': nothing,
  'GET /api/operations': ({ node, operation }) => [
    { query: { node_id: node }, status: 200 },
    { query: { cursor: cursorAt(operation) }, status: 200 },
  ],
  'POST /api/operations': ({ node }) => [
    { body: { kind: 'load', node_id: node, model: 'model' } },
    { body: { kind: 'install', node_id: node, source: 'hf:owner/repo/file.gguf' } },
  ],
  'GET /api/operations/events': nothing,
  'GET /api/operations/:id': ({ operation }) => [{ path: { id: operation } }],
  'GET /api/operations/:id/events': ({ operation }) => [{ path: { id: operation } }],
  'POST /api/operations/:id/cancel': ({ operation }) => [{ path: { id: operation } }],
  'POST /api/operations/:id/retry': ({ operation }) => [{ path: { id: operation } }],
  'POST /api/operations/:id/dismiss': ({ operation }) => [{ path: { id: operation } }],

  'GET /api/requests': ({ request }) => [{ query: { cursor: cursorAt(request) }, status: 200 }],
  'GET /api/requests/running': nothing,
  'GET /api/requests/:id': ({ request }) => [{ path: { id: request } }],
  'POST /api/requests/:id/cancel': ({ request }) => [{ path: { id: request } }],
  'GET /api/usage': ({ cluster }) => [
    { query: { cluster_id: cluster, since: '2026-01-01', until: '2026-01-02' }, status: 200 },
  ],
  'GET /api/usage/requests': ({ key, node, cluster, request }) => [
    { query: { key_id: key }, status: 200 },
    { query: { node_id: node }, status: 200 },
    { query: { cluster_id: cluster }, status: 200 },
    { query: { cursor: cursorAt(request) }, status: 200 },
  ],
  'GET /api/usage/requests/:id': ({ request }) => [{ path: { id: request } }],
  'GET /api/usage/series': ({ key, node, cluster }) => [
    { query: { key_id: key, since: '2026-01-01', until: '2026-01-02' }, status: 200 },
    { query: { node_id: node, since: '2026-01-01', until: '2026-01-02' }, status: 200 },
    { query: { cluster_id: cluster, since: '2026-01-01', until: '2026-01-02' }, status: 200 },
  ],
  'GET /api/overview': nothing,
  'GET /api/events': nothing,
  'POST /api/chat': pinned(chat),
  'GET /api/audit': ({ user, key, auditEvent }) => [
    { query: { actor: user }, status: 200 },
    { query: { object: key }, status: 200 },
    { query: { cursor: cursorAt(auditEvent) }, status: 200 },
    { query: { actor: user, format: 'csv' }, status: 200 },
    { query: { object: key, format: 'ndjson' }, status: 200 },
  ],
};

const routes = declaredRoutes().filter(({ path }) => path.startsWith('/api/') || path.startsWith('/v1/'));
const nameOf = ({ method, path }: DeclaredRoute): string => `${method} ${path}`;

/** Rate limits are not part of this test. */
const env = {
  FERRY_MANAGEMENT_PER_CREDENTIAL_PER_MINUTE: '1000000',
  FERRY_MANAGEMENT_PER_ACCOUNT_PER_MINUTE: '1000000',
  FERRY_MANAGEMENT_PER_ADDRESS_PER_MINUTE: '1000000',
  FERRY_MANAGEMENT_FAILED_PER_ADDRESS_PER_MINUTE: '1000000',
};

let relay: RelayHarness;
let mine: Tenant;
let theirs: Tenant;
let nobody: TenantIds;
let theirRows: string;
/** By route and position: the same for every credential. */
const unknownResponses = new Map<string, Promise<ReceivedResponse>>();

beforeAll(async () => {
  relay = await RelayHarness.start(env);
  mine = await createTenant(relay, 'mine');
  theirs = await createTenant(relay, 'theirs');
  nobody = absentIds(relay);
  theirRows = await rowsOf(theirs);
}, 120_000);

afterAll(async () => {
  await relay.stop();
});

/** Everything in the database of an account, as text. */
async function rowsOf({ ids }: Tenant): Promise<string> {
  const tables = await relay.database.query<{ name: string }[]>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'account_id' ORDER BY table_name`,
  );
  const rows: unknown[] = [];
  for (const { name } of tables) {
    rows.push([name, await relay.database.query(`SELECT * FROM "${name}" WHERE account_id = $1`, [ids.account])]);
  }
  return JSON.stringify(rows, null, 1);
}

interface ReceivedResponse {
  readonly status: number;
  readonly text: string;
}

async function send({ method, path }: DeclaredRoute, credential: string, reach: Reach): Promise<ReceivedResponse> {
  const filled = path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(reach.path?.[name] ?? 'absent'));
  const hasBody = method !== 'GET';
  const abort = new AbortController();
  const response = await fetch(`${relay.url}${filled}?${new URLSearchParams(reach.query).toString()}`, {
    method,
    headers: { 'content-type': 'application/json', ...mine.credentials[credential], ...reach.headers },
    signal: abort.signal,
    ...(hasBody && { body: JSON.stringify(reach.body ?? {}) }),
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const text = isStream ? '' : await response.text();
  abort.abort();
  return { status: response.status, text };
}

/** Removes what differs between any two responses: the requested ids, and the id of the request. */
function comparable({ status, text }: ReceivedResponse, asked: TenantIds): ReceivedResponse {
  let neutral = text.replace(/req_[0-9a-f]{32}/g, 'req');
  for (const [kind, id] of Object.entries(asked)) neutral = neutral.replaceAll(id as string, kind);
  return { status, text: neutral };
}

const managers = Object.fromEntries(
  (['member', 'admin', 'owner'] as const).flatMap((role) => [
    [`CLI token of ${role}`, role],
    [`session of ${role}`, role],
  ]),
) as Readonly<Record<string, Role>>;
const others = ['no credential', 'API key', 'join token', 'node key'];

/** The response that is sent before any id is looked up; undefined when the ids decide. */
function refusal({ access }: DeclaredRoute, credential: string): number | undefined {
  const role = managers[credential];
  switch (access?.kind) {
    case 'public':
      return undefined;
    case 'api-key':
      return credential === 'API key' ? undefined : 401;
    case 'management':
      if (role === undefined) return 401;
      return permits(role, access.permission) ? undefined : 403;
    case undefined:
      return 500;
    default:
      return access satisfies never;
  }
}

describe('the tenant matrix', () => {
  it('the tenant matrix has exactly the routes of the router', () => {
    expect(Object.keys(table).sort()).toEqual(routes.map(nameOf).sort());
  });

  describe.each(routes.map((route) => [nameOf(route), route] as const))('%s', (name, route) => {
    const reaches = table[name] ?? nothing;

    it.each([...others, ...Object.keys(managers)])('%s', async (credential) => {
      const expected = refusal(route, credential);
      const wanted = reaches(theirs.ids, mine.ids);
      if (expected !== undefined) {
        for (const reach of [...wanted, {}]) expect((await send(route, credential, reach)).status).toBe(expected);
        return;
      }
      const absent = reaches(nobody, mine.ids);
      for (const [index, reach] of wanted.entries()) {
        const foreign = await send(route, credential, reach);
        expect(foreign).toMatchObject({ status: reach.status ?? 404 });
        const place = `${name} ${String(index)}`;
        const asked = unknownResponses.get(place) ?? send(route, credential, absent[index]!);
        unknownResponses.set(place, asked);
        const unknown = await asked;
        expect(comparable(foreign, theirs.ids)).toEqual(comparable(unknown, nobody));
      }
      // Lists, with and without filters, must not reveal any. Only requests that change nothing are sent.
      const takesId = wanted.length > 0 && route.path.includes(':');
      if (takesId || route.method !== 'GET') return;
      const { status, text } = await send(route, credential, {});
      // Public routes and the catalogue, which needs a search, may refuse for other reasons.
      const mayRefuse = route.access?.kind === 'public' || name === 'GET /api/catalog';
      expect(mayRefuse ? status < 500 : [200, 404].includes(status)).toBe(true);
      for (const id of Object.values(theirs.ids)) expect(text).not.toContain(id);
    });
  });

  it('the tenant matrix has changed nothing of the other account', async () => {
    expect(await rowsOf(theirs)).toBe(theirRows);
  });
});
