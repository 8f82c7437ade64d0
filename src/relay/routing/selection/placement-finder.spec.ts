import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import {
  account,
  clusterB,
  FakeFleet,
  FakeNode,
  reportedModel,
  statusOf,
} from '../../../../test/support/relay/routing-fleet.js';
import { chatRequirements } from '../../../dialects/chat/requirements.js';
import type { ModelSelector, NodeId } from '../../../kernel/ids.js';
import { noAffinity, type AffinityKeys } from '../affinity/affinity-keys.js';
import { unknownDemand } from '../prediction/demand.js';
import type { Costing } from './costing.js';
import { occupancyCosting } from './costing.js';
import type { EligibilityQuery } from './eligibility.js';
import { PlacementFinder } from './placement-finder.js';

const query: EligibilityQuery = {
  pin: null,
  scope: null,
  model: 'tiny',
  dialect: 'chat',
  requirements: chatRequirements({ messages: [] }),
};

interface Setting {
  readonly busy?: Readonly<Record<string, number>>;
  readonly costing?: Costing;
  readonly random?: () => number;
  readonly learned?: number;
}

const finderOf = (fleet: FakeFleet, { busy = {}, costing, random = () => 0, learned }: Setting = {}): PlacementFinder =>
  new PlacementFinder({
    fleetOf: () => fleet,
    occupancy: { busy: ({ nodeId }) => busy[nodeId] ?? 0 },
    busyCooldown: { has: () => false },
    random,
    ...(costing && { costing }),
    ...(learned !== undefined && { learnedSlots: { limitOf: () => learned } }),
  });

const promptOf = (promptTokens: number): Costing => ({
  ...occupancyCosting,
  estimate: (...args) => ({ ...occupancyCosting.estimate(...args), promptTokens }),
});
const avoiding = (name: string): Costing => ({
  ...occupancyCosting,
  estimate: (...args) => ({
    ...occupancyCosting.estimate(...args),
    isAvoided: ({ node }) => node.name === name,
  }),
});
const contexts = new FakeFleet([
  new FakeNode('short', { models: [{ context_length: 4_096 }] }),
  new FakeNode('long', { models: [{ context_length: 32_768 }] }),
]);
const reasons = (finder: PlacementFinder): Record<string, string> =>
  Object.fromEntries(
    finder
      .find(account, query, new Set())
      .decision.candidates.map(({ placement, reason }) => [placement.node.name, reason]),
  );

describe('a conversation', () => {
  const names = ['a', 'b', 'c'];
  const nodeOf = (finder: PlacementFinder, affinity: Partial<AffinityKeys>): string | undefined => {
    const finding = finder.find(account, query, new Set(), {
      demand: unknownDemand,
      affinity: { ...noAffinity, ...affinity },
    });
    return finding.decision.chosen?.placement.node.name;
  };
  const conversations = Array.from({ length: 50 }, (_, number) => `conversation ${number}`);

  test('a conversation is sent to the same node by two replicas that know nothing of each other', () => {
    const one = finderOf(new FakeFleet(names.map((name) => new FakeNode(name))), { random: () => 0 });
    const other = finderOf(new FakeFleet(names.toReversed().map((name) => new FakeNode(name))), { random: () => 0.99 });
    const chosen = conversations.map((opening) => nodeOf(one, { opening }));
    expect(conversations.map((opening) => nodeOf(other, { opening }))).toEqual(chosen);
    expect(new Set(chosen)).toEqual(new Set(names));
  });

  test('a conversation is named by the session, whatever its opening', () => {
    const finder = finderOf(new FakeFleet(names.map((name) => new FakeNode(name))));
    for (const session of conversations)
      expect(nodeOf(finder, { session, opening: null })).toBe(nodeOf(finder, { session, opening: 'another' }));
  });
});

describe('slots', () => {
  const four = new FakeFleet([new FakeNode('a', { slots: 4 })]);

  test('slots are full when this replica and the others use them all', () => {
    const node = new FakeNode('a', { slots: 4 });
    const usedBy = (here: number, elsewhere: number): string => {
      const status = statusOf({ engine: 4 });
      node.status = { ...status, engines: status.engines.map((one) => ({ ...one, slots_used_elsewhere: elsewhere })) };
      return finderOf(new FakeFleet([node]), { busy: { nd_a: here } }).find(account, query, new Set()).kind;
    };
    expect([usedBy(1, 2), usedBy(2, 2), usedBy(0, 4), usedBy(3, 0)]).toEqual(['free', 'full', 'full', 'free']);
  });
  const found = (busy: number, learned: number) =>
    finderOf(four, { busy: { nd_a: busy }, learned }).find(account, query, new Set());

  test('slots that were learned are used, and shown beside the advertised ones', () => {
    expect(found(1, 2).kind).toBe('free');
    const { kind, decision } = found(2, 2);
    expect(kind).toBe('full');
    expect(decision.candidates).toMatchObject([{ reason: 'full', busy: 2, slots: 2, advertised: 4 }]);
  });

  test('never exceed the advertised ones', () => {
    expect(found(3, Infinity).kind).toBe('free');
    expect([found(4, Infinity).kind, found(4, 99).kind]).toEqual(['full', 'full']);
  });
});

describe('a prompt and the context of a model', () => {
  test('a prompt that is too long for one goes to another', () => {
    expect(reasons(finderOf(contexts, { costing: promptOf(10_000) }))).toEqual({
      short: 'context_too_short',
      long: 'eligible',
    });
  });

  test('a prompt and the context of a model without room anywhere, the longest context decides', () => {
    expect(reasons(finderOf(contexts, { costing: promptOf(1_000_000) }))).toEqual({
      short: 'context_too_short',
      long: 'eligible',
    });
  });

  test('an unknown context has room', () => {
    const fleet = new FakeFleet([new FakeNode('silent')]);
    expect(reasons(finderOf(fleet, { costing: promptOf(1_000_000) }))).toEqual({ silent: 'eligible' });
  });
});

describe('a suspect node', () => {
  const fleet = new FakeFleet([new FakeNode('ill'), new FakeNode('well')]);

  test('a suspect node is avoided while another can serve, even if the request has to wait', () => {
    expect(finderOf(fleet, { costing: avoiding('ill') }).find(account, query, new Set())).toMatchObject({
      kind: 'free',
      placement: { node: { name: 'well' } },
    });
    const waiting = finderOf(fleet, { costing: avoiding('ill'), busy: { nd_well: 1 } });
    expect(waiting.find(account, query, new Set())).toMatchObject({ kind: 'full' });
  });

  test('a suspect node is used when it is the only one', () => {
    const finder = finderOf(fleet, { costing: avoiding('ill') });
    expect(finder.find(account, query, new Set(['nd_well' as NodeId]))).toMatchObject({
      kind: 'free',
      placement: { node: { name: 'ill' } },
    });
  });

  test('gets nothing while a healthy one has room, also when probing', () => {
    const nodes = [new FakeNode('a'), new FakeNode('b')];
    const states = { nd_a: 'probing', nd_b: 'healthy' } as Record<string, 'probing' | 'suspect' | 'healthy'>;
    const watched = Object.assign(new FakeFleet(nodes), {
      health: { stateOf: (nodeId: NodeId) => states[nodeId] ?? 'healthy', isProbed: () => false },
    });
    const at = (busy = {}): string | undefined => {
      const found = finderOf(watched, { busy }).find(account, query, new Set());
      return found.kind === 'free' ? found.placement.node.name : found.kind;
    };
    expect([at(), at({ nd_b: 1 })]).toEqual(['b', 'a']);
    states['nd_a'] = 'suspect';
    expect(at({ nd_b: 1 })).toBe('full');
    states['nd_b'] = 'suspect';
    expect([at(), at({ nd_a: 1 }), at({ nd_a: 1, nd_b: 1 })]).toEqual(['a', 'b', 'full']);
    states['nd_b'] = 'probing';
    expect(at()).toBe('b');
  });

  test('a suspect node is marked when it is chosen, and not after a refusal', () => {
    const watched = Object.assign(new FakeFleet([new FakeNode('a'), new FakeNode('b', { acceptsWork: false })]), {
      health: { stateOf: () => 'suspect' as const, isProbed: () => false },
    });
    const { decision } = finderOf(watched).find(account, query, new Set());
    expect(decision.chosen).toMatchObject({ reason: 'suspect', busy: 0, slots: 1, cost: 0 });
    expect(decision.candidates.map(({ reason }) => reason)).toEqual(['suspect', 'not_accepting']);
    expect(finderOf(watched).find(account, query, new Set(['nd_a' as NodeId]))).toMatchObject({ kind: 'exhausted' });
  });

  test('gets a long prompt that no healthy one has room for', () => {
    const watched = Object.assign(new FakeFleet(contexts.nodes), {
      health: {
        stateOf: (nodeId: NodeId) => (nodeId === 'nd_long' ? ('suspect' as const) : ('healthy' as const)),
        isProbed: () => false,
      },
    });
    expect(finderOf(watched, { costing: promptOf(10_000) }).find(account, query, new Set())).toMatchObject({
      kind: 'free',
      placement: { node: { name: 'long' } },
    });
  });

  test('a suspect node is judged per model', () => {
    const models = [{}, { key: 'engine/again', display_name: 'tiny' }];
    const watched = Object.assign(new FakeFleet([new FakeNode('a', { models })]), {
      health: {
        stateOf: (_: NodeId, key: string) => (key === 'engine/tiny' ? ('suspect' as const) : ('healthy' as const)),
        isProbed: () => false,
      },
    });
    expect(finderOf(watched).find(account, query, new Set())).toMatchObject({
      placement: { report: { key: 'engine/again' } },
    });
  });
});

const trait = fc.record({
  acceptsWork: fc.boolean(),
  slots: fc.nat(3),
  busy: fc.nat(3),
  excluded: fc.boolean(),
  loaded: fc.boolean(),
  tools: fc.boolean(),
});

test('the finder never picks a node that may not or cannot take the request', () => {
  fc.assert(
    fc.property(
      fc.array(trait, { minLength: 1, maxLength: 8 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (traits, draw) => {
        const nodes = traits.map(
          ({ acceptsWork, slots, loaded, tools }, index) =>
            new FakeNode(String(index), {
              acceptsWork,
              slots,
              models: [{ state: loaded ? 'loaded' : 'installed', tools }],
            }),
        );
        const busy = Object.fromEntries(traits.map((one, index) => [`nd_${index}`, one.busy]));
        const excluded = new Set(traits.flatMap((one, index) => (one.excluded ? [`nd_${index}` as NodeId] : [])));
        const requestsTools = { ...query, requirements: chatRequirements({ tools: [{}] }) };
        const usable = traits.map((one) => one.acceptsWork && one.loaded && one.tools);
        const finder = finderOf(new FakeFleet(nodes), { busy, random: () => draw });
        const profile = {
          demand: { bodyBytes: 1, maxOutputTokens: null, stream: true, hasMedia: false },
          affinity: noAffinity,
        };
        if (!usable.includes(true)) {
          expect(() => finder.find(account, requestsTools, excluded, profile)).toThrow();
          return;
        }
        const found = finder.find(account, requestsTools, excluded, profile);
        const roomy = traits.map((one, index) => usable[index] === true && !one.excluded && one.busy < one.slots);
        expect(found.kind === 'free').toBe(roomy.includes(true));
        if (found.kind === 'free') expect(roomy[Number(found.placement.node.name)]).toBe(true);
        if (found.kind === 'full')
          expect(traits.some((one, index) => usable[index] === true && !one.excluded)).toBe(true);
      },
    ),
  );
});

test('a refused request is explained placement by placement', () => {
  const fleet = new FakeFleet([
    new FakeNode('a', { models: [{ state: 'installed' }] }),
    new FakeNode('b', { acceptsWork: false }),
  ]);
  const { candidates, chosen } = finderOf(fleet).survey(account, query);
  expect(chosen).toBeNull();
  expect(candidates.map(({ reason }) => reason)).toEqual(['not_loaded', 'not_accepting']);
  expect(candidates[0]?.placement.report).toEqual(reportedModel({ state: 'installed' }));
});

describe('a name that two models have', () => {
  const [one, two] = ['mdl_1111111111111111', 'mdl_2222222222222222'] as [ModelSelector, ModelSelector];
  const fleet = new FakeFleet([
    new FakeNode('a', { models: [{ selector: one, state: 'installed' }] }),
    new FakeNode('b', { cluster: clusterB, models: [{ selector: two, context_length: 4_096 }] }),
    new FakeNode('c', { models: [{ selector: one, context_length: 32_768 }] }),
  ]);

  test('resolves to any loaded one, at the lowest cost', () => {
    const cheap = (name: string): Costing => ({
      ...occupancyCosting,
      estimate: (...args) => ({
        ...occupancyCosting.estimate(...args),
        costOf: ({ placement }) => (placement.node.name === name ? 1 : 1_000),
      }),
    });
    for (const name of ['b', 'c']) {
      expect(finderOf(fleet, { costing: cheap(name) }).find(account, query, new Set())).toMatchObject({
        kind: 'free',
        placement: { node: { name }, byAmbiguousName: true },
      });
    }
    expect(reasons(finderOf(fleet))).toEqual({ a: 'not_loaded', b: 'eligible', c: 'eligible' });
  });

  test('a name that two models have is evaluated once for any number of models', () => {
    const appraise = jest.fn<Costing['estimate']>((...args) => occupancyCosting.estimate(...args));
    finderOf(fleet, { costing: { ...occupancyCosting, estimate: appraise } }).find(account, query, new Set());
    expect(appraise).toHaveBeenCalledTimes(1);
  });

  test('respects the pinned cluster', () => {
    const pinned = { ...query, pin: clusterB, scope: new Set([clusterB]) };
    const { candidates } = finderOf(fleet).find(account, pinned, new Set()).decision;
    expect(candidates.map(({ placement }) => placement.node.name)).toEqual(['b']);
  });

  test('sends a long prompt to the one with room', () => {
    expect(reasons(finderOf(fleet, { costing: promptOf(10_000) }))).toMatchObject({
      b: 'context_too_short',
      c: 'eligible',
    });
  });

  test('waits in the queue of one eligible model', () => {
    const full = finderOf(fleet, { busy: { nd_b: 1, nd_c: 1 } }).find(account, query, new Set());
    expect(full).toMatchObject({ kind: 'full', selector: two });
  });

  test('continues a conversation where it is', () => {
    const continuation = { pinnedNode: 'nd_c' as NodeId, param: 'previous_response_id' } as const;
    expect(finderOf(fleet).find(account, { ...query, continuation }, new Set())).toMatchObject({
      kind: 'free',
      placement: { node: { name: 'c' } },
    });
  });

  test('a name that two models have is explained with all models when none may serve it', () => {
    const { candidates } = finderOf(fleet).survey(account, query);
    expect(candidates.map(({ placement }) => placement.node.name)).toEqual(['a', 'b', 'c']);
  });
});
