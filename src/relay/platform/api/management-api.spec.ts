import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  PUBLIC_ADDRESS,
  startManagementHarness,
  type ManagementHarness,
} from '../../../../test/support/relay/management.harness.js';
import { credentialDigest, parseCredential } from '../../../kernel/credential.js';
import { createNodeId, type AccountId, type ClusterId, type ModelSelector } from '../../../kernel/ids.js';
import { AccountEntity } from '../../accounts/account.entity.js';
import { CliTokensService } from '../../accounts/cli-tokens.service.js';
import { ClustersService } from '../../clusters/clusters.service.js';
import { JoinTokenEntity } from '../../clusters/join-token.entity.js';
import { Catalogue } from '../../inventory/catalogue.js';
import { KeyRevocations, type RevokedKey } from '../../keys/key-revocations.js';
import { KeyVerifier } from '../../keys/key-verifier.js';
import { CLUSTER_NODES } from '../../clusters/cluster-nodes.js';
import { NodesService, type NodeView } from '../../nodes/nodes.service.js';
import { DataSource } from 'typeorm';
import { ClustersController } from '../../clusters/clusters.controller.js';
import { JoinTokensController } from '../../clusters/join-tokens.controller.js';
import { KeysController } from '../../keys/keys.controller.js';
import { ManagedModelsController } from '../../inventory/models.controller.js';
import { alwaysHealthy } from '../../nodes/health/health-view.js';
import { NodeHealth } from '../../nodes/health/node-health.js';
import { NodesController } from '../../nodes/nodes.controller.js';
import { WhoAmIController } from '../../accounts/users/whoami.controller.js';

const accountId = 'acc_mine' as AccountId;
const otherAccountId = 'acc_other' as AccountId;
const nodeId = createNodeId();

const listNodes = jest.fn<NodesService['list']>();
const revokeNode = jest.fn<NodesService['revoke']>();
const deleteNode = jest.fn<NodesService['delete']>();
const listModels = jest.fn<Catalogue['list']>();

let management: ManagementHarness;
let token: string;
let home: ClusterId;
let foreignCluster: ClusterId;

beforeAll(async () => {
  management = await startManagementHarness({
    controllers: [
      WhoAmIController,
      ClustersController,
      JoinTokensController,
      KeysController,
      NodesController,
      ManagedModelsController,
    ],
    providers: [
      { provide: NodesService, useValue: { list: listNodes, revoke: revokeNode, delete: deleteNode } },
      { provide: CLUSTER_NODES, useExisting: NodesService },
      { provide: Catalogue, useValue: { list: listModels } },
      { provide: NodeHealth, useValue: alwaysHealthy },
    ],
  });
  const { app } = management;
  await app.get(DataSource).manager.insert(AccountEntity, [
    { id: accountId, name: 'mine' },
    { id: otherAccountId, name: 'other' },
  ]);
  token = await app.get(CliTokensService).replace(accountId, 'laptop');
  home = (await app.get(ClustersService).home(accountId)).id;
  foreignCluster = (await app.get(ClustersService).home(otherAccountId)).id;
}, 120_000);

afterAll(async () => {
  await management.close();
});

beforeEach(() => {
  listNodes.mockReset().mockResolvedValue([]);
  revokeNode.mockReset().mockResolvedValue(false);
  deleteNode.mockReset().mockResolvedValue(false);
});

interface FactsResponse {
  readonly status: number;
  readonly type: string | null;
  readonly body: Record<string, unknown>;
}

async function call(method: string, path: string, body?: object, credential = token): Promise<FactsResponse> {
  const response = await fetch(`${management.url}/api/${path}`, {
    method,
    headers: { authorization: `Bearer ${credential}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: (await response.json()) as Record<string, unknown>,
  };
}

describe('/api', () => {
  it('returns the owner of the token', async () => {
    expect(await call('GET', 'whoami')).toMatchObject({
      status: 200,
      body: { account_id: accountId, credential: { kind: 'cli_token', name: 'laptop' } },
    });
  });

  it('answers failures as problems', async () => {
    expect(await call('GET', 'whoami', undefined, 'nonsense')).toMatchObject({
      status: 401,
      type: 'application/problem+json; charset=utf-8',
      body: { status: 401, code: 'missing_or_malformed_credential' },
    });
  });

  it('refuses a CLI token that was replaced', async () => {
    const tokens = management.app.get(CliTokensService);
    const old = token;
    token = await tokens.replace(accountId, 'laptop');
    expect(await call('GET', 'whoami', undefined, old)).toMatchObject({
      status: 401,
      body: { code: 'invalid_credential' },
    });
  });
});

describe('/api/keys', () => {
  it('creates a key that works at once, shows it once, and revokes it by name at once', async () => {
    const revoked: RevokedKey[] = [];
    management.app.get(KeyRevocations).revoked$.subscribe((key) => revoked.push(key));
    const verifier = management.app.get(KeyVerifier);

    const created = await call('POST', 'keys', { name: 'my app' });
    expect(created).toMatchObject({
      status: 201,
      body: {
        object: 'api_key',
        name: 'my app',
        scopes: ['inference'],
        cluster_ids: null,
        expires: null,
        revoked: null,
      },
    });
    const key = String(created.body['key']);
    expect(key).toMatch(/^sk-ferry-[0-9A-Za-z]{61}$/);
    expect(created.body['last4']).toBe(key.slice(-4));
    expect(await verifier.verify(key)).toMatchObject({ accountId, keyPublicId: created.body['key_id'] });

    const listed = await call('GET', 'keys');
    expect(JSON.stringify(listed.body)).not.toContain(key);
    expect(listed.body['data']).toContainEqual(expect.objectContaining({ key_id: created.body['key_id'] }));

    const { status, body } = await call('DELETE', `keys/${encodeURIComponent('my app')}`);
    expect([status, body['key_id'], typeof body['revoked']]).toEqual([200, created.body['key_id'], 'number']);
    expect(revoked).toEqual([{ accountId, keyPublicId: created.body['key_id'] }]);
    await expect(verifier.verify(key)).rejects.toMatchObject({ code: 'invalid_credential' });
    expect((await call('GET', 'keys')).body['data']).not.toContainEqual(expect.objectContaining({ name: 'my app' }));
  });

  it('treats null as an absent field', async () => {
    const request = { name: 'nulls', scopes: null, cluster_ids: null, expires_in_seconds: null };
    const { status, body } = await call('POST', 'keys', request);
    expect([status, body['scopes'], body['cluster_ids'], body['expires']]).toEqual([201, ['inference'], null, null]);
  });

  it('accepts scopes, clusters and an expiry', async () => {
    const before = Date.now() / 1_000;
    const request = { name: 'limited', scopes: ['models:read'], cluster_ids: [home], expires_in_seconds: 3_600 };
    const { body } = await call('POST', 'keys', request);
    expect(body).toMatchObject({ scopes: ['models:read'], cluster_ids: [home] });
    expect(Math.abs(Number(body['expires']) - before - 3_600)).toBeLessThan(60);
  });

  it.each<[string, object, string]>([
    ['no name', {}, 'name'],
    ['a name that looks like an id', { name: 'key_0123456789ab' }, 'name'],
    ['an invisible name', { name: 'a\u202eb' }, 'name'],
    ['an unknown scope', { name: 'x', scopes: ['management'] }, 'scopes'],
    ['no scope', { name: 'x', scopes: [] }, 'scopes'],
    ['a scope that is no text', { name: 'x', scopes: { length: 1 } }, 'scopes'],
    ['a malformed cluster', { name: 'x', cluster_ids: ["cl_' OR 1=1"] }, 'cluster_ids'],
    ['an expiry in the past', { name: 'x', expires_in_seconds: -1 }, 'expires_in_seconds'],
    ['an unknown field', { name: 'x', admin: true }, 'admin'],
  ])('refuses %s', async (_name, request, param) => {
    expect(await call('POST', 'keys', request)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', param },
    });
  });

  it('refuses a second active key of one name, also when both are made at once', async () => {
    const responses = await Promise.all([1, 2].map(() => call('POST', 'keys', { name: 'twin' })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400]);
  });

  it('keeps a description of up to 200 characters, changes it, removes it and copies it to the replacement', async () => {
    const description = 'Chat of the intranet, asked for by Ada';
    const { status, body } = await call('POST', 'keys', { name: 'described', description });
    expect([status, body['description']]).toEqual([201, description]);
    const path = `keys/${String(body['key_id'])}`;
    expect((await call('PATCH', path, { name: 'described still' })).body['description']).toBe(description);
    const rolled = await call('POST', `${path}/roll`, { overlap: '0' });
    expect(rolled.body['description']).toBe(description);
    const successor = `keys/${String(rolled.body['key_id'])}`;
    expect((await call('PATCH', successor, { description: 'new' })).body['description']).toBe('new');
    expect((await call('PATCH', successor, { description: null })).body['description']).toBeNull();
    for (const wrong of ['', 'x'.repeat(201), 'two\nlines']) {
      expect((await call('PATCH', successor, { description: wrong })).body).toMatchObject({ param: 'description' });
    }
  });

  it('answers for clusters and keys of another account as for missing ones', async () => {
    expect(await call('POST', 'keys', { name: 'spy', cluster_ids: [foreignCluster] })).toMatchObject({
      status: 404,
      body: { code: 'cluster_not_found' },
    });
    const foreign = await management.app.get(CliTokensService).replace(otherAccountId, 'laptop');
    const { body } = await call('POST', 'keys', { name: 'theirs' }, foreign);
    const responses = await Promise.all(
      [String(body['key_id']), 'theirs', 'key_0123456789ab'].map((key) => call('DELETE', `keys/${key}`)),
    );
    for (const response of responses) expect(response).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('refuses API keys for management and CLI tokens for inference', async () => {
    const { body } = await call('POST', 'keys', { name: 'not a manager' });
    expect((await call('GET', 'keys', undefined, String(body['key']))).status).toBe(401);
    await expect(management.app.get(KeyVerifier).verify(token)).rejects.toMatchObject({
      code: 'missing_or_malformed_credential',
    });
  });
});

describe('/api/clusters', () => {
  it('lists home first, with its nodes and their models', async () => {
    const model = (name: string, state: 'loaded' | 'installed') => ({
      key: `engine/${name}`,
      selector: `mdl_${name}` as ModelSelector,
      displayName: name,
      engine: 'engine',
      state,
      reason: null,
      quantization: null,
      sizeBytes: null,
      contextLength: null,
      memory: null,
      device: null,
      gpuLayers: null,
      inputs: [],
      tools: null,
      reasoning: null,
      embedding: false,
    });
    const node = (online: boolean, models: NodeView['models']): NodeView =>
      ({ clusterId: home, online, models: online ? models : [] }) as NodeView;
    listNodes.mockResolvedValue([
      node(true, [model('tiny', 'loaded'), model('large', 'installed')]),
      node(true, [model('tiny', 'loaded')]),
      node(false, []),
    ]);
    const { body } = await call('GET', 'clusters');
    expect((body['data'] as unknown[])[0]).toEqual({
      object: 'cluster',
      cluster_id: home,
      name: 'home',
      nodes: 3,
      online: 2,
      loaded: ['tiny'],
      models: 2,
      created: expect.any(Number),
    });
    expect(JSON.stringify(body)).not.toContain(foreignCluster);
    expect(listNodes).toHaveBeenCalledWith(accountId);
  });

  it('creates clusters with unique names', async () => {
    const created = await call('POST', 'clusters', { name: 'büro 2' });
    expect(created).toMatchObject({
      status: 201,
      body: { name: 'büro 2', nodes: 0, online: 0, loaded: [], models: 0 },
    });
    expect(created.body['cluster_id']).toMatch(/^cl_[0-9a-f]{32}$/);
    expect(await call('POST', 'clusters', { name: 'büro 2' })).toMatchObject({ status: 400, body: { param: 'name' } });
  });

  it('accepts a new cluster everywhere at once', async () => {
    // Reads the directory of clusters into memory.
    expect((await call('POST', 'join-tokens', { cluster_id: home })).status).toBe(201);
    const { body } = await call('POST', 'clusters', { name: 'brand new' });
    expect((await call('POST', 'join-tokens', { cluster_id: body['cluster_id'] })).status).toBe(201);
  });
});

describe('/api/join-tokens', () => {
  it('issues a token for home, with the commands to run', async () => {
    const { status, body } = await call('POST', 'join-tokens');
    const text = String(body['join_token']);
    expect(status).toBe(201);
    expect(body).toEqual({
      join_token_id: expect.stringMatching(/^join_[0-9a-f]{32}$/),
      join_token: text,
      expires_at: expect.any(Number),
      cluster_id: home,
      command: `ferry node join ${text} --relay ${PUBLIC_ADDRESS}`,
      install_command: `curl -fsSL ${PUBLIC_ADDRESS}/install.sh | sh -s -- --token ${text}`,
      install_command_windows: `& ([scriptblock]::Create((irm '${PUBLIC_ADDRESS}/install.ps1'))) -Token '${text}'`,
      commands: {
        unix: `curl -fsSL ${PUBLIC_ADDRESS}/install.sh | sh -s -- --token ${text} && ~/.local/bin/ferry-node run`,
        windows: expect.stringMatching(/ferry-node\.cmd" run$/),
        ferry: `ferry node join ${text} --relay ${PUBLIC_ADDRESS} && ferry node run`,
      },
      reachable: 'network',
      warning: null,
    });
    const credential = parseCredential('join-token', text)!;
    const stored = await management.app
      .get(DataSource)
      .manager.findOneByOrFail(JoinTokenEntity, { accountId, hash: credentialDigest(credential) });
    expect(stored).toMatchObject({ clusterId: home, usedAt: null, nodeId: null });
    expect(Math.abs(stored.expiresAt.getTime() - Date.now() - 900_000)).toBeLessThan(60_000);
  });

  it('/api/join-tokens does not find a cluster of another account', async () => {
    expect(await call('POST', 'join-tokens', { cluster_id: foreignCluster })).toMatchObject({
      status: 404,
      body: { code: 'cluster_not_found', param: 'cluster_id', detail: 'This account has no cluster with this id.' },
    });
  });
});

describe('/api/nodes and /api/models', () => {
  it('revokes nodes of the account only', async () => {
    revokeNode.mockImplementation((account, id) => Promise.resolve(account === accountId && id === nodeId));
    expect(await call('DELETE', `nodes/${nodeId}`)).toMatchObject({
      status: 200,
      body: { node_id: nodeId, status: 'revoked' },
    });
    expect(await call('DELETE', `nodes/${createNodeId()}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    revokeNode.mockClear();
    expect((await call('DELETE', 'nodes/nd_%27')).status).toBe(404);
    expect(revokeNode).not.toHaveBeenCalled();
  });

  it('returns the inventory of the whole account', async () => {
    listModels.mockReturnValue(Buffer.from('{"object":"list","data":[]}'));
    expect(await call('GET', 'models')).toMatchObject({ status: 200, body: { object: 'list', data: [] } });
    expect(listModels).toHaveBeenCalledWith(accountId, null);
  });
});
