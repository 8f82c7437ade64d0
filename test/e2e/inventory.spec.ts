/**
 * docs/reference/public-api.md#model-record, docs/reference/public-api.md#cluster-targeting, docs/reference/public-api.md#list-models and
 * docs/reference/inventory.md#public-ids: the model list, where models are loaded, and stable public ids.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { inventoryOf, TestNode } from '../support/process/test-node.js';

interface ModelRecord {
  readonly id: string;
  readonly selector: string;
  readonly display_name: string;
  readonly loaded: boolean;
  readonly clusters: readonly { cluster_id: string; loaded: boolean }[];
}

const modelsOf = async (relay: Tenant, pin?: string): Promise<ModelRecord[]> =>
  (await inventoryOf(relay, pin === undefined ? {} : { 'x-cluster-id': pin })) as unknown as ModelRecord[];

async function stopAll(relay: Tenant, nodes: readonly TestNode[]): Promise<void> {
  await Promise.all(nodes.map((node) => node.stop()));
  await eventually('no node is online', async () => (await modelsOf(relay)).length === 0);
}

const ask = (relay: Tenant, model: string, pin?: string): Promise<Response> =>
  relay.chat(
    { model, temperature: 0, messages: [{ role: 'user', content: 'Hello' }] },
    pin === undefined ? {} : { headers: { 'x-cluster-id': pin } },
  );

/** Each block leaves an account without nodes that are online: what is offline is in no list. */
let relay: Tenant;

shareRelay((shared) => (relay = shared));

describe('two clusters with a model loaded on the first only', () => {
  let home: string;
  let lab: string;
  let nodes: TestNode[];

  beforeAll(async () => {
    home = relay.credentials.cluster_id;
    lab = await relay.createCluster('lab');
    nodes = await Promise.all([
      TestNode.start(relay, { engines: [{ kind: 'llamacpp', load: 'all' }] }),
      TestNode.start(relay, { clusterId: lab, engines: [{ kind: 'llamacpp', load: [] }] }),
    ]);
  }, 90_000);

  afterAll(() => stopAll(relay, nodes), 30_000);

  it('two clusters with a model loaded on the first only is one record, loaded, with the state per cluster', async () => {
    const [model, ...others] = await modelsOf(relay);
    expect(others).toEqual([]);
    expect(model!.loaded).toBe(true);
    expect([...model!.clusters].sort((a) => (a.cluster_id === home ? -1 : 1))).toEqual([
      { cluster_id: home, loaded: true },
      { cluster_id: lab, loaded: false },
    ]);
  });

  it('two clusters with a model loaded on the first only is not loaded in the list of the second cluster', async () => {
    const [model] = await modelsOf(relay, lab);
    expect(model).toMatchObject({ id: 'tiny', loaded: false, clusters: [{ cluster_id: lab, loaded: false }] });
  });

  it('is served unpinned and pinned to the first, and refused with the reason on the second', async () => {
    expect((await ask(relay, 'tiny')).status).toBe(200);
    expect((await ask(relay, 'tiny', home)).status).toBe(200);
    const refused = await ask(relay, 'tiny', lab);
    expect(refused.status).toBe(503);
    expect(await refused.text()).toBe('no node for user');
    expect(refused.headers.get('x-ferry-reason')).toBe('model_not_loaded');
  });

  it('restricts a key to its clusters', async () => {
    const { key } = await relay.manage<{ key: string }>('POST', '/keys', { name: 'lab only', cluster_ids: [lab] });
    const headers = { authorization: `Bearer ${key}` };
    const list = (await (await relay.fetch('/v1/models', { headers })).json()) as { data: ModelRecord[] };
    expect(list.data.map((model) => model.clusters)).toEqual([[{ cluster_id: lab, loaded: false }]]);
    const body = { model: 'tiny', messages: [{ role: 'user', content: 'Hello' }] };
    expect((await relay.chat(body, { headers })).status).toBe(503);
    const pinned = await relay.chat(body, { headers: { ...headers, 'x-cluster-id': home } });
    expect(pinned.status).toBe(403);
    expect(await pinned.json()).toMatchObject({ error: { code: 'cluster_not_allowed' } });
  });
});

describe('two different models with one display name', () => {
  let lab: string;
  let engines: FakeEngine[];
  let first: TestNode;
  let second: TestNode;

  beforeAll(async () => {
    lab = await relay.createCluster('workshop');
    engines = [
      await FakeEngine.start({ models: ['org-one/twin'] }),
      await FakeEngine.start({ models: ['org-two/twin'] }),
    ];
    const named = (engine: FakeEngine, model: string): Record<string, unknown> & { kind: 'openai-compatible' } => ({
      kind: 'openai-compatible',
      base_url: engine.url,
      display_names: { [model]: 'twin' },
    });
    [first, second] = await Promise.all([
      TestNode.start(relay, { engines: [named(engines[0]!, 'org-one/twin')] }),
      TestNode.start(relay, { clusterId: lab, engines: [named(engines[1]!, 'org-two/twin')] }),
    ]);
    await eventually('both are listed', async () => (await modelsOf(relay)).length === 2);
  }, 90_000);

  afterAll(async () => {
    await stopAll(relay, [first, second]);
    await Promise.all(engines.map((engine) => engine.stop()));
  }, 30_000);

  it('two different models with one display name have their selectors as ids, and the plain name returns 404 with both ids', async () => {
    const models = await modelsOf(relay);
    expect(models.map((model) => model.display_name)).toEqual(['twin', 'twin']);
    expect(models.map((model) => model.id)).toEqual(models.map((model) => model.selector));
    expect(new Set(models.map((model) => model.id)).size).toBe(2);
    const refused = await ask(relay, 'twin');
    expect(refused.status).toBe(404);
    const { error } = (await refused.json()) as { error: { code: string; message: string } };
    expect(error.code).toBe('model_not_found');
    for (const { selector } of models) expect(error.message).toContain(selector);
    for (const { id } of models) expect((await ask(relay, id)).status).toBe(200);
  });

  it('two different models with one display name have the same ids with and without X-Cluster-ID, and while a node is offline', async () => {
    const models = await modelsOf(relay);
    const idIn = (list: readonly ModelRecord[], selector: string): string | undefined =>
      list.find((model) => model.selector === selector)?.id;
    const [inLab] = await modelsOf(relay, lab);
    expect(inLab!.id).toBe(idIn(models, inLab!.selector));
    await second.process.stop();
    await eventually('the second is gone from the list', async () => (await modelsOf(relay)).length === 1);
    const [left] = await modelsOf(relay);
    expect(left!.id).toBe(left!.selector);
    expect((await ask(relay, 'twin')).status).toBe(404);
    await second.run();
    expect((await modelsOf(relay)).map((model) => model.id).sort()).toEqual(models.map((model) => model.id).sort());
  }, 60_000);
});

describe('an engine that loads on demand', () => {
  it('an engine that loads on demand is never triggered by an inference request for a model that is installed but not loaded', async () => {
    const engine = await FakeEngine.start({ models: ['qwen3:8b'], loadsOnDemand: true });
    const node = await TestNode.start(relay, { engines: [{ kind: 'openai-compatible', base_url: engine.url }] });
    try {
      expect(await modelsOf(relay)).toMatchObject([{ id: 'qwen3:8b', loaded: false }]);
      for (const stream of [false, true]) {
        const refused = await relay.chat({ model: 'qwen3:8b', stream, messages: [{ role: 'user', content: 'hi' }] });
        expect(refused.status).toBe(503);
        expect(refused.headers.get('x-ferry-reason')).toBe('model_not_loaded');
      }
      expect(engine.calls).toEqual([]);
      expect(engine.loads).toEqual([]);
    } finally {
      await node.stop();
      await engine.stop();
    }
  }, 90_000);
});
