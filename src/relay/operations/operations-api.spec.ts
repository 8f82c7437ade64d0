import { beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { eventually } from '../../../test/support/clock/eventually.js';
import { operationsApiSuite, type RecordingNode } from '../../../test/support/relay/operations-api.harness.js';
import { createNodeId, createOperationId, type AccountId, type ModelSelector } from '../../kernel/ids.js';
import { OperationEntity } from './operation.entity.js';
import { newOperation } from './operation.js';
import { OperationsStore } from './operations.store.js';

const suite = operationsApiSuite();

const loadTiny = { kind: 'load', model: 'tiny' };

describe('POST /api/operations', () => {
  it('commands the node that has the model, and answers at once with the operation', async () => {
    const node = await suite.app.addNode(suite.accountId, 'desk');
    const { status, body } = await suite.api.call('POST', '', { ...loadTiny, context_tokens: 4_096 });
    expect(status).toBe(202);
    expect(body).toEqual({
      object: 'operation',
      id: expect.stringMatching(/^op_[0-9a-f]{32}$/),
      kind: 'load',
      node_id: node.nodeId,
      node_name: 'desk',
      node_online: true,
      engine: 'engine',
      model: 'tiny',
      model_key: 'engine/tiny',
      source: null,
      load: false,
      context_tokens: 4_096,
      state: 'queued',
      phase: null,
      completed_bytes: null,
      total_bytes: null,
      bytes_per_second: null,
      failure: null,
      cancel_requested: false,
      created_by: expect.stringMatching(/^cli_/),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      updated_at: expect.any(String),
      finished_at: null,
      dismissed_at: null,
    });
    expect(node.commands).toEqual([
      { verb: 'load', operation_id: body['id'], model_key: 'engine/tiny', context_tokens: 4_096 },
    ]);
  });

  it('installs and loads as one operation', async () => {
    const node = await suite.app.addNode(suite.accountId, 'desk');
    const { body } = await suite.api.call('POST', '', { kind: 'install', source: 'qwen3:8b', load: true });
    expect(body).toMatchObject({ kind: 'install', load: true });
    const command = { verb: 'install', operation_id: body['id'], engine: null, source: 'qwen3:8b', load: true };
    expect(node.commands).toEqual([command]);
    expect(
      await suite.app.management.app
        .get(DataSource)
        .manager.findOneByOrFail(OperationEntity, { accountId: suite.accountId }),
    ).toMatchObject({
      loadAfter: true,
    });
    expect(await suite.api.call('POST', '', { ...loadTiny, load: true })).toMatchObject({
      status: 400,
      body: { param: 'load' },
    });
  });

  it("accepts a node's own key of the model", async () => {
    const node = await suite.app.addNode(suite.accountId, 'desk');
    const { body } = await suite.api.call('POST', '', { kind: 'unload', model: 'engine/tiny' });
    expect(body).toMatchObject({ model: 'tiny', model_key: 'engine/tiny' });
    expect(node.commands).toMatchObject([{ verb: 'unload', model_key: 'engine/tiny' }]);
  });

  it('installs on the only node, with an opaque source', async () => {
    const node = await suite.app.addNode(suite.accountId, 'desk');
    const id = await suite.api.begin({ kind: 'install', source: 'hf:owner/repo/file.gguf' });
    expect(node.commands).toEqual([
      { verb: 'install', operation_id: id, engine: null, source: 'hf:owner/repo/file.gguf' },
    ]);
  });

  it('lists the nodes when the target is ambiguous', async () => {
    const desk = await suite.app.addNode(suite.accountId, 'desk');
    const attic = await suite.app.addNode(suite.accountId, 'attic');
    for (const input of [loadTiny, { kind: 'install', source: 'qwen3:8b' }]) {
      const { status, body } = await suite.api.call('POST', '', input);
      expect([status, body['param']]).toEqual([400, 'node_id']);
      expect(body['detail']).toContain(`desk (${desk.nodeId})`);
      expect(body['detail']).toContain(`attic (${attic.nodeId})`);
    }
    expect((await suite.api.call('POST', '', { ...loadTiny, node_id: attic.nodeId })).body).toMatchObject({
      node_name: 'attic',
    });
    expect(desk.commands).toEqual([]);
  });

  it('unloads where the model is loaded', async () => {
    await suite.app.addNode(suite.accountId, 'desk', [{ state: 'installed' }]);
    const attic = await suite.app.addNode(suite.accountId, 'attic', [{ state: 'loaded' }]);
    expect((await suite.api.call('POST', '', { kind: 'unload', model: 'tiny' })).body).toMatchObject({
      node_id: attic.nodeId,
    });
  });

  it('requires the engine when one node has the model twice', async () => {
    const models = ['one', 'two'].map((engine) => ({ engine, key: `${engine}/tiny` }));
    await suite.app.addNode(suite.accountId, 'desk', models);
    expect(await suite.api.call('POST', '', loadTiny)).toMatchObject({ status: 400, body: { param: 'engine' } });
    expect((await suite.api.call('POST', '', { ...loadTiny, engine: 'two' })).body).toMatchObject({
      model_key: 'two/tiny',
    });
  });

  describe('with an ambiguous model name', () => {
    const [one, two] = ['mdl_1111111111111111', 'mdl_2222222222222222'] as [ModelSelector, ModelSelector];
    const models = [
      { selector: one, engine: 'one', key: 'one/tiny' },
      { selector: two, engine: 'two', key: 'two/tiny', state: 'installed' as const },
    ];

    it('POST /api/operations with an ambiguous model name is refused with the selectors', async () => {
      const node = await suite.app.addNode(suite.accountId, 'desk', models);
      for (const kind of ['load', 'remove']) {
        for (const node_id of [undefined, node.nodeId]) {
          const { status, body } = await suite.api.call('POST', '', { kind, model: 'tiny', node_id });
          expect([status, body['param']]).toEqual([400, 'model']);
          expect(body['detail']).toMatch(new RegExp(`${one}.*${two}`));
        }
      }
      expect(node.commands).toEqual([]);
    });

    it('POST /api/operations with an ambiguous model name is resolved by the engine, under the requested name', async () => {
      await suite.app.addNode(suite.accountId, 'desk', models);
      expect((await suite.api.call('POST', '', { ...loadTiny, engine: 'two' })).body).toMatchObject({
        model: 'tiny',
        model_key: 'two/tiny',
      });
    });

    it('POST /api/operations with an ambiguous model name is resolved by the node', async () => {
      await suite.app.addNode(suite.accountId, 'desk', models.slice(0, 1));
      const attic = await suite.app.addNode(suite.accountId, 'attic', models.slice(1));
      expect(
        (await suite.api.call('POST', '', { kind: 'remove', model: 'tiny', node_id: attic.nodeId })).body,
      ).toMatchObject({
        model_key: 'two/tiny',
      });
    });

    it('POST /api/operations with an ambiguous model name is resolved by the only loaded model when unloading', async () => {
      await suite.app.addNode(suite.accountId, 'desk', models);
      expect((await suite.api.call('POST', '', { kind: 'unload', model: 'tiny' })).body).toMatchObject({
        model_key: 'one/tiny',
      });
    });
  });

  it('answers 404 for missing targets, and distinguishes offline nodes', async () => {
    const node = await suite.app.addNode(suite.accountId, 'desk');
    expect(await suite.api.call('POST', '', { kind: 'load', model: 'nope' })).toMatchObject({
      status: 404,
      body: { code: 'model_not_found' },
    });
    expect(await suite.api.call('POST', '', { ...loadTiny, node_id: createNodeId() })).toMatchObject({ status: 404 });
    expect(
      await suite.api.call('POST', '', { ...loadTiny, node_id: node.nodeId }, suite.otherAccount.token),
    ).toMatchObject({
      status: 404,
    });
    suite.app.disconnect(node);
    expect(await suite.api.call('POST', '', { ...loadTiny, node_id: node.nodeId })).toMatchObject({
      status: 503,
      body: { code: 'node_offline' },
    });
  });

  it('refuses a second operation on the same model of the same node, also at the same time', async () => {
    await suite.app.addNode(suite.accountId, 'desk');
    const responses = await Promise.all(
      [loadTiny, { kind: 'unload', model: 'tiny' }].map((input) => suite.api.call('POST', '', input)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([202, 409]);
    const refused = responses.find(({ status }) => status === 409);
    const accepted = responses.find(({ status }) => status === 202);
    expect(refused?.body).toMatchObject({ code: 'operation_conflict' });
    expect(refused?.body['detail']).toContain(accepted?.body['id']);
  });

  it('limits unfinished operations per node', async () => {
    await suite.app.addNode(suite.accountId, 'desk');
    await suite.api.begin({ kind: 'install', source: 'a' });
    await suite.api.begin({ kind: 'install', source: 'b' });
    expect(await suite.api.call('POST', '', { kind: 'install', source: 'c' })).toMatchObject({
      status: 429,
      body: { code: 'too_many_operations' },
    });
  });

  it.each<[string, object, string]>([
    ['an unknown kind', { kind: 'explode', model: 'tiny' }, 'kind'],
    ['a load without a model', { kind: 'load' }, 'model'],
    ['an install without a source', { kind: 'install' }, 'source'],
    ['a source with a password', { kind: 'install', source: 'https://me:secret@host/a.gguf' }, 'source'],
    ['a source of two lines', { kind: 'install', source: 'a\nb' }, 'source'],
    ['a malformed node', { kind: 'load', model: 'tiny', node_id: "nd_'" }, 'node_id'],
    ['context for an unload', { kind: 'unload', model: 'tiny', context_tokens: 5 }, 'context_tokens'],
    ['no context at all', { kind: 'load', model: 'tiny', context_tokens: 0 }, 'context_tokens'],
    ['an unknown field', { kind: 'load', model: 'tiny', url: 'http://x' }, 'url'],
  ])('refuses %s', async (_name, input, param) => {
    await suite.app.addNode(suite.accountId, 'desk');
    expect(await suite.api.call('POST', '', input)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', param },
    });
  });
});

describe('reports of nodes', () => {
  let node: RecordingNode;
  let id: string;

  beforeEach(async () => {
    node = await suite.app.addNode(suite.accountId, 'desk');
    id = await suite.api.begin({ kind: 'install', source: 'qwen3:8b' });
  });

  it('reports of nodes are shown at once, and the outcome is stored', async () => {
    suite.app.progress(node, id, { completed_bytes: 50, total_bytes: 200 });
    expect((await suite.api.call('GET', `/${id}`)).body).toMatchObject({
      state: 'running',
      phase: 'downloading',
      completed_bytes: 50,
      total_bytes: 200,
    });
    suite.app.result(node, id, { model_key: 'engine/tiny' });
    expect((await suite.api.call('GET', `/${id}`)).body).toMatchObject({
      state: 'succeeded',
      model: 'tiny',
      model_key: 'engine/tiny',
      completed_bytes: 200,
      finished_at: expect.any(String),
    });
    await eventually('the outcome is stored', async () => (await stored(id)).state === 'succeeded');
  });

  it('reports of nodes count only for the first outcome', async () => {
    const failure = { code: 'disk_full', message: 'No space\u001b[2J left.' } as const;
    suite.app.result(node, id, { outcome: 'failed', failure });
    suite.app.result(node, id, { outcome: 'succeeded' });
    expect((await suite.api.call('GET', `/${id}`)).body).toMatchObject({
      state: 'failed',
      failure: { code: 'disk_full', message: 'No space[2J left.' },
    });
  });

  it('reports of nodes count only from the node of the operation', async () => {
    const rival = await suite.app.addNode('acc_other' as AccountId, 'rival');
    const sibling = await suite.app.addNode(suite.accountId, 'attic');
    for (const other of [rival, sibling]) {
      suite.app.progress(other, id, { phase: 'hacking' });
      suite.app.result(other, id);
      suite.app.result(other, `op_${'0'.repeat(32)}`);
    }
    expect((await suite.api.call('GET', `/${id}`)).body).toMatchObject({ state: 'queued', phase: null });
  });

  it('reports of nodes are requested again after each reconnect, until the end', async () => {
    const [install] = node.commands;
    suite.app.disconnect(node);
    expect((await suite.api.call('GET', `/${id}`)).body).toMatchObject({ state: 'queued', node_online: false });
    await suite.app.connect(node);
    expect(node.commands).toEqual([install, install]);
    suite.app.result(node, id);
    await suite.app.connect(node);
    expect(node.commands).toHaveLength(2);
  });

  it('a node gets what another relay was asked for, also when it is read here before the changes of others', async () => {
    const node = await suite.app.addNode(suite.accountId, 'desk');
    const request = { nodeId: node.nodeId, nodeName: 'desk', kind: 'load', modelKey: 'engine/tiny' } as const;
    const rest = { engine: 'engine', model: 'tiny', source: null, loadAfter: false, contextTokens: null };
    const operation = newOperation(createOperationId(), { ...request, ...rest, createdBy: null }, new Date());
    const limits = { perNode: 8, perAccount: 8, failuresKeptDays: 7, kept: 100 };
    const store = suite.app.management.app.get(OperationsStore);
    await store.insert(suite.accountId, operation, limits, 'system');
    for (let reads = 0; reads < 2; reads += 1) await suite.api.call('GET', `/${operation.id}`);
    expect(node.commands).toMatchObject([{ verb: 'load', operation_id: operation.id }]);
  });

  it('reports of nodes end as failed when the node is removed', async () => {
    await suite.app.revoke(node);
    expect((await suite.api.call('GET', `/${id}`)).body).toMatchObject({
      state: 'failed',
      failure: { code: 'node_removed' },
    });
  });
});

describe('POST /api/operations/{id}/cancel', () => {
  it('commands the node, whose result counts', async () => {
    const node = await suite.app.addNode(suite.accountId, 'desk');
    const id = await suite.api.begin(loadTiny);
    expect(await suite.api.call('POST', `/${id}/cancel`)).toMatchObject({
      status: 202,
      body: { state: 'queued', cancel_requested: true },
    });
    expect(node.commands.at(-1)).toEqual({ verb: 'cancel', operation_id: id });
    expect(node.commands.map(({ verb }) => verb)).toEqual(['load', 'cancel']);
    suite.app.result(node, id, { outcome: 'cancelled' });
    expect((await suite.api.call('GET', `/${id}`)).body).toMatchObject({ state: 'cancelled', failure: null });
    expect((await suite.api.call('POST', `/${id}/cancel`)).body).toMatchObject({ state: 'cancelled' });
  });

  it('waits for an offline node', async () => {
    const node = await suite.app.addNode(suite.accountId, 'desk');
    const id = await suite.api.begin(loadTiny);
    suite.app.disconnect(node);
    node.commands.length = 0;
    await suite.api.call('POST', `/${id}/cancel`);
    await suite.app.connect(node);
    expect(node.commands.map(({ verb }) => verb)).toEqual(['cancel']);
    await eventually('the wish is stored', async () => (await stored(id)).cancelRequested);
  });
});

describe('a failed operation', () => {
  let node: RecordingNode;
  let id: string;
  const open = async (): Promise<unknown> =>
    ((await suite.api.call('GET', '?state=failed&dismissed=false&since=7d')).body['data'] as { id: string }[]).map(
      (one) => one.id,
    );

  beforeEach(async () => {
    node = await suite.app.addNode(suite.accountId, 'desk');
    id = await suite.api.begin({ ...loadTiny, context_tokens: 4_096 });
    const failure = { code: 'out_of_memory', message: 'model requires more system memory' } as const;
    suite.app.result(node, id, { outcome: 'failed', failure });
    await eventually('the failure is stored', async () => (await stored(id)).state === 'failed');
  });

  it('a failed operation is tried again with the same parameters, and needs no attention any more', async () => {
    const { status, body } = await suite.api.call('POST', `/${id}/retry`);
    expect({ status, body }).toMatchObject({
      status: 202,
      body: { kind: 'load', model: 'tiny', model_key: 'engine/tiny', context_tokens: 4_096, state: 'queued' },
    });
    expect(node.commands.at(-1)).toMatchObject({ operation_id: body['id'], context_tokens: 4_096 });
    expect(await open()).toEqual([]);
    expect(await suite.api.call('POST', `/${String(body['id'])}/retry`)).toMatchObject({
      status: 409,
      body: { code: 'operation_conflict' },
    });
  });

  it('a failed operation is dismissed, and stays in the list', async () => {
    expect(await open()).toEqual([id]);
    expect(await suite.api.call('POST', `/${id}/dismiss`)).toMatchObject({
      status: 200,
      body: { state: 'failed', dismissed_at: expect.any(String) },
    });
    expect(await open()).toEqual([]);
    expect((await suite.api.call('GET', `/${id}`)).body).toMatchObject({ failure: { code: 'out_of_memory' } });
  });

  it('a failed operation of another account is neither tried again nor dismissed', async () => {
    for (const action of ['retry', 'dismiss']) {
      expect(await suite.api.call('POST', `/${id}/${action}`, undefined, suite.otherAccount.token)).toMatchObject({
        status: 404,
      });
    }
  });
});

const stored = async (id: string): Promise<OperationEntity> =>
  suite.app.dataSource.manager.findOneByOrFail(OperationEntity, { id: id as OperationEntity['id'] });
