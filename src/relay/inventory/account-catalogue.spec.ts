import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../test/support/clock/manual-clock.js';
import type { ModelState } from '../../kernel/dialect.js';
import type { AccountId, ClusterId, ModelSelector, NodeId } from '../../kernel/ids.js';
import { modelSelector } from '../nodes/registry/node-inventory.js';
import type { OnlineNode, ReportedModel } from '../nodes/registry/online-node.js';
import { AccountCatalogue } from './account-catalogue.js';
import type { ModelList } from './model-list.js';

const home = 'cl_home00000000' as ClusterId;
const office = 'cl_office0000000' as ClusterId;
const both = null;
const accountId = 'acc_1' as AccountId;
const nodeA = 'nd_a' as NodeId;
const nodeB = 'nd_b' as NodeId;

interface Report {
  readonly display: string;
  readonly canonical?: string;
  readonly digest?: string;
  readonly state?: ModelState;
  readonly engine?: string;
}

function report({
  display,
  canonical = display,
  digest,
  state = 'loaded',
  engine = 'llamacpp',
}: Report): ReportedModel {
  const identity = { canonical_name: canonical, digest: digest ?? null, quantization: null };
  return {
    ...identity,
    key: `${engine}/${canonical}${digest ?? ''}`,
    engine,
    engine_model: canonical,
    display_name: display,
    selector: modelSelector(identity),
    size_bytes: null,
    context_length: null,
    state,
    dialects: ['chat'],
    inputs: ['text'],
    tools: null,
    reasoning: null,
    embedding: false,
  };
}

const selectorOf = (canonical: string, digest: string | null = null): ModelSelector =>
  modelSelector({ canonical_name: canonical, digest, quantization: null });

const node = (nodeId: NodeId, clusterId: ClusterId, ...reports: Report[]): OnlineNode => ({
  nodeId,
  clusterId,
  accountId,
  name: nodeId,
  hasReported: true,
  models: new Map(reports.map(report).map((model) => [model.key, model])),
  status: null,
  acceptsWork: true,
  freeStreams: 1,
  roundTripMs: null,
  open: () => {
    throw new Error('not in this test');
  },
});

let clock = new ManualClock(1_700_000_000_000);
const create = (modelLimit = 100): AccountCatalogue => {
  const catalogue = new AccountCatalogue({ clock, ownedBy: 'ferry', modelLimit });
  catalogue.remember({ firstSeenMs: new Map(), models: [] });
  return catalogue;
};

let catalogue: AccountCatalogue;
beforeEach(() => {
  clock = new ManualClock(1_700_000_000_000);
  catalogue = create();
});

const listed = (scope: ReadonlySet<ClusterId> | null = both): ModelList['data'] =>
  (JSON.parse(catalogue.list(scope).toString()) as ModelList).data;
const ids = (scope: ReadonlySet<ClusterId> | null = both): string[] => listed(scope).map(({ id }) => id);

describe('AccountCatalogue', () => {
  describe('with one model loaded on A and installed on B', () => {
    beforeEach(() => {
      catalogue.report(node(nodeA, home, { display: 'tiny' }));
      catalogue.report(node(nodeB, office, { display: 'tiny', state: 'installed' }));
    });

    it('AccountCatalogue with one model loaded on A and installed on B is loaded in the aggregate and not loaded on B', () => {
      expect(listed()).toMatchObject([
        {
          id: 'tiny',
          loaded: true,
          clusters: [
            { cluster_id: home, loaded: true },
            { cluster_id: office, loaded: false },
          ],
        },
      ]);
      expect(listed(new Set([office]))).toMatchObject([{ id: 'tiny', loaded: false }]);
    });

    it('places requests on the nodes of the scope', () => {
      const lookup = catalogue.find('tiny');
      if (lookup.kind !== 'found') throw new Error(lookup.kind);
      expect(lookup.entry.placements(both).map((placement) => placement.node.nodeId)).toEqual([nodeA, nodeB]);
      expect(lookup.entry.placements(new Set([office])).map(({ report: { state } }) => state)).toEqual(['installed']);
    });

    it('finds it by id and by selector', () => {
      expect(catalogue.find(selectorOf('tiny'))).toMatchObject({ kind: 'found', entry: { id: 'tiny' } });
    });

    it('reflects a change of state at once', () => {
      catalogue.report(node(nodeA, home, { display: 'tiny', state: 'unloading' }));
      expect(listed()).toMatchObject([{ loaded: false }]);
    });

    it('AccountCatalogue with one model loaded on A and installed on B does not store a change of state', () => {
      expect(catalogue.report(node(nodeA, home, { display: 'tiny', state: 'failed' }))).toBe(false);
    });
  });

  describe('with two models of one canonical and one display name', () => {
    const selectors = [selectorOf('tiny'), selectorOf('tiny', 'other')].sort();
    const shared = () => {
      const lookup = catalogue.find('tiny');
      if (lookup.kind !== 'shared') throw new Error(lookup.kind);
      return lookup;
    };
    const placed = (scope: ReadonlySet<ClusterId> | null = both) =>
      shared()
        .placements(scope)
        .map(({ node: { nodeId }, report: { selector }, byAmbiguousName }) => [nodeId, selector, byAmbiguousName]);

    beforeEach(() => {
      catalogue.report(node(nodeA, home, { display: 'tiny' }));
      catalogue.report(node(nodeB, office, { display: 'tiny', digest: 'other', engine: 'ollama' }));
    });

    it('lists both by their selectors', () => {
      expect(ids()).toEqual(selectors);
    });

    it('resolves the name to any of them, and marks every placement as ambiguous', () => {
      expect(shared().selectors).toEqual(selectors);
      expect(new Set(placed())).toEqual(
        new Set([
          [nodeA, selectorOf('tiny'), true],
          [nodeB, selectorOf('tiny', 'other'), true],
        ]),
      );
    });

    it('respects the cluster scope', () => {
      expect(placed(new Set([office]))).toEqual([[nodeB, selectorOf('tiny', 'other'), true]]);
    });

    it('AccountCatalogue with two models of one canonical and one display name does not collect the placements again for every request', () => {
      expect(shared().placements(both)).toBe(shared().placements(both));
    });

    it('reflects removal, change and return of one of them at once', () => {
      catalogue.disconnected(nodeB);
      expect(placed()).toEqual([[nodeA, selectorOf('tiny'), true]]);
      catalogue.report(node(nodeA, home, { display: 'tiny', state: 'installed' }));
      expect(shared().placements(both)[0]?.report.state).toBe('installed');
      catalogue.report(node(nodeB, office, { display: 'tiny', digest: 'other', engine: 'ollama' }));
      expect(placed()).toHaveLength(2);
    });

    it('finds each by its selector alone, without a mark', () => {
      const lookup = catalogue.find(selectorOf('tiny'));
      if (lookup.kind !== 'found') throw new Error(lookup.kind);
      expect(lookup.entry.placements(both).map((placement) => placement.byAmbiguousName)).toEqual([undefined]);
    });

    it('is ambiguous when a model of another canonical name takes the name, too', () => {
      catalogue.report(node(nodeA, home, { display: 'tiny' }, { display: 'tiny', canonical: 'another' }));
      expect(catalogue.find('tiny')).toEqual({
        kind: 'ambiguous',
        selectors: [...selectors, selectorOf('another')].sort(),
      });
    });
  });

  describe('with two models of one display name and different canonical names', () => {
    const selectors = [selectorOf('x'), selectorOf('y')].sort();

    beforeEach(() => {
      catalogue.report(node(nodeA, home, { display: 'Llama', canonical: 'x' }));
      catalogue.report(node(nodeB, office, { display: 'Llama', canonical: 'y' }));
    });

    it('lists both by their selectors, pinned or not', () => {
      expect(ids()).toEqual(selectors);
      expect(ids(new Set([home]))).toEqual([selectorOf('x')]);
    });

    it('does not resolve the ambiguous name', () => {
      expect(catalogue.find('Llama')).toEqual({ kind: 'ambiguous', selectors });
    });

    it('keeps the ids while a node is offline', () => {
      catalogue.disconnected(nodeB);
      expect(ids()).toEqual([selectorOf('x')]);
      expect(catalogue.find('Llama')).toEqual({ kind: 'ambiguous', selectors });
      expect(catalogue.find(selectorOf('y'))).toMatchObject({ kind: 'found' });
    });

    it('gives the name back when the other model is deleted from its node', () => {
      catalogue.report(node(nodeB, office));
      expect(ids()).toEqual(['Llama']);
      expect(catalogue.find(selectorOf('y'))).toEqual({ kind: 'unknown' });
    });

    it('gives the name back when the other node is no longer enrolled', () => {
      catalogue.disconnected(nodeB);
      catalogue.forgetNode(nodeB);
      expect(ids()).toEqual(['Llama']);
    });
  });

  it('loads the models of offline nodes from the database', () => {
    catalogue = create();
    const stored = { nodeId: nodeB, selector: selectorOf('y'), displayName: 'Llama', canonicalName: 'y' };
    catalogue.remember({ firstSeenMs: new Map([[stored.selector, 1_600_000_000_000]]), models: [stored] });
    catalogue.report(node(nodeA, home, { display: 'Llama', canonical: 'x' }));
    expect(ids()).toEqual([selectorOf('x')]);
    const lookup = catalogue.find(selectorOf('y'));
    if (lookup.kind !== 'found') throw new Error(lookup.kind);
    expect(lookup.entry.placements(both)).toEqual([]);
  });

  it('dates a model from its first report in the account', () => {
    catalogue.report(node(nodeA, home, { display: 'tiny' }));
    clock.advance(60_000);
    catalogue.report(node(nodeA, home));
    catalogue.report(node(nodeA, home, { display: 'tiny' }));
    expect(listed()).toMatchObject([{ created: 1_700_000_000 }]);
  });

  it('prefers the stored date', () => {
    catalogue.report(node(nodeA, home, { display: 'tiny' }));
    catalogue.remember({ firstSeenMs: new Map([[selectorOf('tiny'), 1_600_000_000_000]]), models: [] });
    expect(listed()).toMatchObject([{ created: 1_600_000_000 }]);
  });

  it("prefers a node's report over stored models", () => {
    catalogue.report(node(nodeA, home, { display: 'tiny' }));
    const stale = { nodeId: nodeA, selector: selectorOf('old'), displayName: 'old', canonicalName: 'old' };
    catalogue.remember({ firstSeenMs: new Map(), models: [stale] });
    expect(catalogue.find('old')).toEqual({ kind: 'unknown' });
  });

  it('emits writes when models or names change', () => {
    expect(catalogue.report(node(nodeA, home, { display: 'tiny' }))).toBe(true);
    expect(catalogue.report(node(nodeA, home, { display: 'tiny' }))).toBe(false);
    expect(catalogue.report(node(nodeA, home, { display: 'Tiny', canonical: 'tiny' }))).toBe(true);
    expect(catalogue.modelsOf(nodeA)).toEqual([
      { selector: selectorOf('tiny'), displayName: 'Tiny', canonicalName: 'tiny', firstSeenMs: clock.nowMs },
    ]);
    expect(catalogue.report(node(nodeA, home))).toBe(true);
  });

  it('AccountCatalogue has two placements for one model in two engines of a node', () => {
    catalogue.report(node(nodeA, home, { display: 'tiny' }, { display: 'tiny', engine: 'ollama', state: 'installed' }));
    const lookup = catalogue.find('tiny');
    if (lookup.kind !== 'found') throw new Error(lookup.kind);
    expect(lookup.entry.placements(both).map(({ report: { engine } }) => engine)).toEqual(['llamacpp', 'ollama']);
    expect(listed()).toMatchObject([{ loaded: true, clusters: [{ cluster_id: home, loaded: true }] }]);
  });

  it('neither lists nor serves models beyond the limit of the account', () => {
    catalogue = create(2);
    catalogue.report(node(nodeA, home, { display: 'a' }, { display: 'b' }, { display: 'c' }));
    expect(ids()).toEqual(['a', 'b']);
    expect(catalogue.find('c')).toEqual({ kind: 'unknown' });
    expect(catalogue.modelsOf(nodeA)).toHaveLength(2);
  });

  it('AccountCatalogue does not grow with models that come and go', () => {
    catalogue = create(2);
    for (let round = 0; round < 100; round += 1) catalogue.report(node(nodeA, home, { display: `m${round}` }));
    expect(ids()).toEqual(['m99']);
  });

  describe('a name in another case', () => {
    it('finds the one model that has it', () => {
      catalogue.report(node(nodeA, home, { display: 'Qwen3 8B' }));
      for (const name of ['qwen3 8b', 'QWEN3 8B', selectorOf('Qwen3 8B').toUpperCase()]) {
        expect(catalogue.find(name)).toMatchObject({ kind: 'found', entry: { id: 'Qwen3 8B' } });
      }
      expect(catalogue.find('qwen3')).toEqual({ kind: 'unknown' });
    });

    it('a name in another case is not looked at where a model has the name as it was written', () => {
      catalogue.report(
        node(nodeA, home, { display: 'Tiny', canonical: 'one' }, { display: 'tiny', canonical: 'other' }),
      );
      expect(catalogue.find('Tiny')).toMatchObject({ kind: 'found', entry: { id: 'Tiny' } });
      expect(catalogue.find('tiny')).toMatchObject({ kind: 'found', entry: { id: 'tiny' } });
      expect(catalogue.find('TINY')).toEqual({
        kind: 'ambiguous',
        selectors: [selectorOf('one'), selectorOf('other')].sort(),
      });
      expect(catalogue.find('tiny')).toMatchObject({ kind: 'found' });
    });
  });

  it('lists what the official clients read besides, where they ask', () => {
    catalogue.report(node(nodeA, home, { display: 'a' }));
    const inForm = (form: object): unknown =>
      JSON.parse(catalogue.list(both, { anthropic: false, codex: false, ...form }).toString());
    const plain = JSON.parse(catalogue.list(both).toString()) as Pick<ModelList, keyof ModelList>;
    expect(inForm({})).toEqual(plain);
    expect(inForm({ codex: true })).toEqual({ ...plain, models: [] });
    expect(inForm({ anthropic: true })).toMatchObject({
      ...plain,
      data: [
        { type: 'model', created_at: new Date(plain.data[0]!.created * 1_000).toISOString(), lifecycle: 'active' },
      ],
      has_more: false,
      first_id: 'a',
      last_id: 'a',
    });
    catalogue.disconnected(nodeA);
    expect(inForm({ anthropic: true })).toMatchObject({ data: [], first_id: null, last_id: null });
  });

  it('caches the serialised list until a change', () => {
    catalogue.report(node(nodeA, home, { display: 'tiny' }));
    const before = catalogue.list(both);
    expect(catalogue.list(new Set([home]))).toBe(catalogue.list(new Set([home])));
    expect(catalogue.list(both)).toBe(before);
    catalogue.disconnected(nodeA);
    expect(catalogue.list(both).toString()).toBe('{"object":"list","data":[]}');
  });

  it('lists online models, however many are known', () => {
    catalogue = create(20_000);
    const models = Array.from({ length: 10_000 }, (_, index) => ({
      nodeId: nodeB,
      selector: selectorOf(`m${index}`),
      displayName: `m${index}`,
      canonicalName: `m${index}`,
    }));
    catalogue.remember({ firstSeenMs: new Map(), models });
    catalogue.report(node(nodeA, home, { display: 'tiny' }));
    expect(ids()).toEqual(['tiny']);
  });

  describe('with one model under different names', () => {
    it('finds it under every name that an engine of a node has for it', () => {
      const digest = 'same';
      catalogue.report(node(nodeA, home, { display: 'zeta', canonical: 'm', digest, engine: 'one' }));
      const both = [
        { display: 'zeta', canonical: 'm', digest, engine: 'one' },
        { display: 'alpha', canonical: 'm', digest, engine: 'two' },
      ];
      catalogue.report(node(nodeA, home, ...both));
      for (const name of ['zeta', 'alpha']) {
        expect(catalogue.find(name)).toMatchObject({ kind: 'found', entry: { selector: selectorOf('m', digest) } });
      }
      expect(ids()).toEqual(['alpha']);
      catalogue.report(node(nodeA, home, { display: 'zeta', canonical: 'm', digest, engine: 'one' }));
      expect(catalogue.find('alpha')).toEqual({ kind: 'unknown' });
    });

    it('finds name:latest without the tag, unless a model has just that name', () => {
      catalogue.report(node(nodeA, home, { display: 'qwen3:latest', canonical: 'qwen3' }));
      expect(catalogue.find('qwen3')).toMatchObject({ kind: 'found', entry: { id: 'qwen3:latest' } });
      catalogue.report(node(nodeB, home, { display: 'qwen3', canonical: 'other' }));
      expect(catalogue.find('qwen3')).toMatchObject({ kind: 'found', entry: { id: 'qwen3' } });
      expect(catalogue.find('qwen4')).toEqual({ kind: 'unknown' });
    });
  });
});
