/** The contract of `/api`, on the whole relay: golden refusals, and responses as documented. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DocumentedSchemas } from '../support/client/documented-schemas.js';
import { managementOperations, readManagementDocument } from '../support/client/management-document.js';
import { createTenant, type Tenant } from '../support/relay/tenants.js';
import { RelayHarness } from '../support/relay/relay.harness.js';

const document = readManagementDocument();
let relay: RelayHarness;
let tenant: Tenant;
let schemas: DocumentedSchemas;

beforeAll(async () => {
  relay = await RelayHarness.start();
  tenant = await createTenant(relay, 'mine');
  schemas = new DocumentedSchemas(document);
}, 120_000);

afterAll(async () => {
  await relay.stop();
});

async function send(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<{ response: Response; json: Record<string, unknown> }> {
  const response = await fetch(`${relay.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { response, json: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
}

const of = (credential: string): Readonly<Record<string, string>> => tenant.credentials[credential] ?? {};

async function newKey(input: object): Promise<Record<string, string>> {
  const { json } = await send('POST', '/api/keys', of('CLI token of owner'), input);
  return { authorization: `Bearer ${String(json['key'])}` };
}

const chat = { model: 'tiny', messages: [{ role: 'user', content: 'hello' }] };

describe('a valid credential without the right gets 403:', () => {
  it('a scope that does not include the route', async () => {
    const reader = await newKey({ name: 'reader', scopes: ['models:read'] });
    expect((await send('GET', '/v1/models', reader)).response.status).toBe(200);
    const { response, json } = await send('POST', '/v1/chat/completions', reader, chat);
    expect([response.status, response.headers.get('content-type')]).toEqual([403, 'application/json; charset=utf-8']);
    expect(response.headers.get('x-request-id')).toBe(json['request_id']);
    expect(json).toMatchObject({
      error: {
        type: 'permission_error',
        code: 'insufficient_scope',
        param: null,
        message: "The key is valid but its scopes do not include this route's.",
      },
    });
  });

  it('a restriction to other clusters, in the format of each protocol', async () => {
    const { json: other } = await send('POST', '/api/clusters', of('CLI token of admin'), { name: 'other' });
    const restricted = await newKey({ name: 'restricted', cluster_ids: [other['cluster_id']] });
    const pinned = { ...restricted, 'x-cluster-id': tenant.ids.cluster };
    const openAi = await send('POST', '/v1/chat/completions', pinned, chat);
    expect(openAi.response.status).toBe(403);
    expect(openAi.json).toMatchObject({ error: { type: 'permission_error', code: 'cluster_not_allowed' } });
    const anthropic = await send('POST', '/v1/messages', pinned, { ...chat, max_tokens: 8 });
    expect(anthropic.response.status).toBe(403);
    expect(anthropic.json).toMatchObject({ type: 'error', error: { type: 'permission_error' } });
  });

  it.each(['CLI token of member', 'session of member'])('a role below the required one (%s)', async (who) => {
    const { response, json } = await send('POST', '/api/clusters', of(who), { name: 'mine' });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      403,
      'application/problem+json; charset=utf-8',
    ]);
    expect(response.headers.get('retry-after')).toBeNull();
    expect(json).toEqual({
      type: 'urn:ferry:error:insufficient_role',
      title: 'Insufficient role',
      status: 403,
      detail: 'This needs the role admin; yours is member.',
      code: 'insufficient_role',
      param: null,
      request_id: response.headers.get('x-request-id'),
    });
  });

  it('a session whose request comes from another site', async () => {
    const foreign = { ...of('session of owner'), 'sec-fetch-site': 'cross-site' };
    const { response, json } = await send('POST', '/api/clusters', foreign, { name: 'theirs' });
    expect([response.status, json['code']]).toEqual([403, 'cross_site_request']);
  });
});

describe('an exceeded rate gets 429', () => {
  it('as a problem with Retry-After and remaining counts', async () => {
    const slow = await RelayHarness.start({ FERRY_MANAGEMENT_PER_CREDENTIAL_PER_MINUTE: '60' });
    try {
      const member = (await createTenant(slow, 'slow')).credentials['CLI token of member']!;
      const ask = (): Promise<Response> => fetch(`${slow.url}/api/whoami`, { headers: member });
      // One request a second is allowed again, so that those after the first must come together.
      const responses = [await ask(), ...(await Promise.all(Array.from({ length: 20 }, ask)))];
      const refused = responses.find(({ status }) => status === 429);
      expect(responses[0]!.headers.get('ratelimit-policy')).toBe('"credential";q=10;w=10, "account";q=1000;w=10');
      expect(responses[0]!.headers.get('ratelimit')).toMatch(/^"credential";r=9;t=1, "account";r=\d+;t=1$/);
      expect(refused?.headers.get('retry-after')).toBe('1');
      expect(refused?.headers.get('x-should-retry')).toBe('true');
      expect(refused?.headers.get('ratelimit')).toMatch(/^"credential";r=0;t=\d+, /);
      expect(await refused?.json()).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
    } finally {
      await slow.stop();
    }
    // A relay is started, which takes its time on a busy computer.
  }, 120_000);
});

describe('behaviour matches the documentation:', () => {
  const jsonOf = ({ operation }: ReturnType<typeof managementOperations>[number]): object | undefined =>
    operation.responses['200']?.content?.['application/json']?.schema;
  const readable = managementOperations(document)
    .filter((operation) => operation.method === 'get' && jsonOf(operation) !== undefined)
    .filter(({ path }) => !path.includes('userCode'))
    // The catalogue belongs to another server: see the specs of src/relay/inventory/catalog.
    .filter(({ path }) => !path.startsWith('/api/catalog'))
    // No request was sent to any model here.
    .filter(({ path }) => !path.endsWith('/requests/{id}'));

  it.each(readable.map((operation) => [operation.path, operation] as const))('GET %s', async (path, operation) => {
    const own = path.replace('{nodeId}', tenant.ids.node).replace('{id}', tenant.ids.operation);
    const { response, json } = await send('GET', own, of('CLI token of owner'));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(schemas.problemsOf(jsonOf(operation) ?? {}, json)).toEqual([]);
  });

  it('created resources match, once per Idempotency-Key', async () => {
    const headers = { ...of('CLI token of owner'), 'idempotency-key': 'a key' };
    const first = await send('POST', '/api/keys', { ...headers, 'idempotency-key': 'k1' }, { name: 'once' });
    expect(first.response.status).toBe(201);
    expect(schemas.problemsOf(schemas.ref('NewKey'), first.json)).toEqual([]);
    const again = await send('POST', '/api/keys', { ...headers, 'idempotency-key': 'k1' }, { name: 'once' });
    expect(again.response.headers.get('idempotent-replayed')).toBe('true');
    expect(again.json).toEqual(first.json);
    expect(schemas.problemsOf(schemas.ref('Problem'), (await send('POST', '/api/keys', headers, {})).json)).toEqual([]);
  });

  it('cursors lead through a list', async () => {
    const owner = of('CLI token of owner');
    for (const name of ['a', 'b', 'c']) await send('POST', '/api/clusters', owner, { name });
    const whole = await send('GET', '/api/clusters', owner);
    const names: unknown[] = [];
    let query = '';
    for (let page = 0; page < 10; page += 1) {
      const { json } = await send('GET', `/api/clusters?limit=2${query}`, owner);
      names.push(...(json['data'] as unknown[]));
      if (json['has_more'] !== true) break;
      query = `&cursor=${String(json['next_cursor'])}`;
    }
    expect(names).toEqual(whole.json['data']);
    const wrong = await send('GET', '/api/clusters?cursor=nonsense', owner);
    expect([wrong.response.status, wrong.json['param']]).toEqual([400, 'cursor']);
  });
});
