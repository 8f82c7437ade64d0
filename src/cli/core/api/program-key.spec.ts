import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManagementApi } from './management-api.js';
import type { Schemas } from './management-api.types.js';
import { isAccepted, makeProgramKey, planProgramKey } from './program-key.js';

describe('whether the relay accepts a key', () => {
  let server: Server;
  let baseUrl: string;
  let status = 200;

  beforeAll(async () => {
    server = createServer((_, response) => response.writeHead(status).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it.each([
    [200, true],
    [429, true],
    [401, false],
    [403, false],
  ])('whether the relay accepts a key after %i: %s', async (responded, accepted) => {
    status = responded;
    expect(await isAccepted(baseUrl, 'sk-ferry-x')).toBe(accepted);
  });

  it('whether the relay accepts a key is not decided by a relay that is busy or gone: the key would be replaced', async () => {
    status = 503;
    await expect(isAccepted(baseUrl, 'sk-ferry-x')).rejects.toThrow('503');
    await expect(isAccepted('http://127.0.0.1:9', 'sk-ferry-x')).rejects.toThrow('cannot reach the relay');
  });

  it('whether the relay accepts a key is no question for the key of another service', async () => {
    expect(await isAccepted('http://127.0.0.1:9', 'sk-ant-x')).toBe(false);
  });
});

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** A management API that knows these keys, and remembers what it was asked to do. */
function apiWith(keys: readonly Partial<Schemas['Key']>[]): { readonly api: ManagementApi; readonly calls: Call[] } {
  const calls: Call[] = [];
  const api = new ManagementApi({ baseUrl: 'http://relay', token: 't' }, (url, init) => {
    const path = url.replace('http://relay', '');
    const method = init.method ?? 'GET';
    if (method === 'GET') return Promise.resolve(Response.json({ object: 'list', data: keys }));
    calls.push({ method, path, body: JSON.parse(init.body as string) });
    return Promise.resolve(
      Response.json({ key_id: 'key_new', key: 'sk-ferry-new', limits: { requests_per_minute: null } }),
    );
  });
  return { api, calls };
}

const COMPUTER = '0011223344556677';
const here = { program: 'codex', purpose: 'ferry connect codex', computer: COMPUTER };

describe('the key of a program on this computer', () => {
  it('replaces one that this computer made, whatever it was called then', async () => {
    const own = {
      key_id: 'key_1',
      name: 'codex',
      revoked: null,
      description: `ferry connect codex on old-name (${COMPUTER})`,
    };
    const { api, calls } = apiWith([own]);
    const plan = await planProgramKey(api, here);
    expect(plan).toMatchObject({ name: 'codex', replaced: { key_id: 'key_1' } });
    await makeProgramKey(api, plan);
    expect(calls).toEqual([{ method: 'POST', path: '/api/keys/key_1/roll', body: { overlap: '0' } }]);
  });

  it.each([
    ['another computer of the same name', `ferry connect codex on vm (ffffffffffffffff)`],
    ['another program', `ferry connect claude on vm (${COMPUTER})`],
    ['a person', 'codex at work'],
    ['nobody knows whom', null],
  ])('leaves the key of %s alone, and gets a numbered name', async (_, description) => {
    const { api, calls } = apiWith([{ key_id: 'key_1', name: 'codex', revoked: null, description }]);
    const plan = await planProgramKey(api, here);
    expect(plan).toMatchObject({ name: 'codex-2', replaced: undefined });
    await makeProgramKey(api, plan);
    expect(calls.map(({ path }) => path)).toEqual(['/api/keys']);
  });

  it('gets a numbered name where a key of somebody else, which is not listed, has the first', async () => {
    const names: string[] = [];
    const api = new ManagementApi({ baseUrl: 'http://relay', token: 't' }, (_url, init) => {
      if (init.method === 'GET') return Promise.resolve(Response.json({ object: 'list', data: [] }));
      const { name } = JSON.parse(init.body as string) as { name: string };
      names.push(name);
      if (names.length === 3) return Promise.resolve(Response.json({ key_id: 'key_new', key: 'sk-ferry-new', name }));
      const detail = 'An active API key of this name already exists.';
      return Promise.resolve(Response.json({ code: 'invalid_request', detail, param: 'name' }, { status: 400 }));
    });
    expect(await makeProgramKey(api, await planProgramKey(api, here))).toMatchObject({ name: 'codex-3' });
    expect(names).toEqual(['codex', 'codex-2', 'codex-3']);
  });

  it('the key of a program on this computer has a limit that an agent does not reach, or the given one', async () => {
    const { api, calls } = apiWith([]);
    const plan = await planProgramKey(api, here);
    for (const limit of [undefined, 30, null]) await makeProgramKey(api, plan, limit);
    expect(calls.map(({ body }) => (body as { limits: unknown }).limits)).toEqual([
      { requests_per_minute: 600 },
      { requests_per_minute: 30 },
      { requests_per_minute: null },
    ]);
  });
});
