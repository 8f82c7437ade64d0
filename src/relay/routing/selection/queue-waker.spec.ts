import { expect, test } from '@jest/globals';
import { account, clusterA, FakeFleet, FakeNode, selector } from '../../../../test/support/relay/routing-fleet.js';
import type { ModelSelector } from '../../../kernel/ids.js';
import type { ModelLookup } from '../../inventory/model-entry.js';
import type { FreedSlots } from '../admission/fair-queue.js';
import { anyModel } from '../admission/waiting.js';
import { QueueWaker } from './queue-waker.js';

const twin = 'mdl_ffffffffffffffff' as ModelSelector;
const unknown: ModelLookup = { kind: 'unknown' };

interface Scene {
  readonly free?: number;
  readonly lookup?: ModelLookup;
  /** The models that requests of the node's cluster wait for; absent: all. */
  readonly awaited?: readonly ModelSelector[];
}

/** The models whose places were counted. */
const looked: ModelSelector[] = [];

/** What is offered to the queue. */
function offersOf(
  node: FakeNode,
  wake: (waker: QueueWaker) => void,
  { free = 2, lookup = unknown, awaited = [anyModel] }: Scene = {},
): FreedSlots[] {
  const offers: FreedSlots[] = [];
  looked.length = 0;
  const fleet = new FakeFleet([node]);
  const waker = new QueueWaker({
    queue: {
      hasWaiting: () => true,
      awaitedIn: () => (awaited.length === 0 ? undefined : { waitsFor: (model) => awaited.includes(model) }),
      slotsFreed: (_, places) => offers.push(places),
    },
    finder: {
      isEngineFull: () => free === 0,
      freeSlots: ({ report }) => {
        looked.push(report.selector);
        return free;
      },
    },
    freed: { note: () => undefined },
    fleetOf: () => ({ find: () => lookup, node: (nodeId) => fleet.node(nodeId) }),
  });
  wake(waker);
  return offers;
}

const reportedBy = (node: FakeNode) => (waker: QueueWaker) => {
  waker.reported(node);
};
const freedAt =
  (node: FakeNode, engine = 'engine') =>
  (waker: QueueWaker) => {
    waker.slotFreed(account, { nodeId: node.nodeId, engine });
  };

test('a full node and one that takes no work offer nothing', () => {
  const full = new FakeNode('full');
  const paused = new FakeNode('paused', { acceptsWork: false });
  expect(offersOf(full, reportedBy(full), { free: 0 })).toEqual([]);
  expect(offersOf(full, freedAt(full), { free: 0 })).toEqual([]);
  expect(offersOf(paused, reportedBy(paused))).toEqual([]);
});

test('nothing is looked at while no request waits that the cluster of the node may serve', () => {
  const node = new FakeNode('a');
  expect(offersOf(node, reportedBy(node), { awaited: [] })).toEqual([]);
  expect(looked).toEqual([]);
});

test('the queue waker offers only models that a request waits for', () => {
  const node = new FakeNode('a', { models: [{}, { key: 'engine/twin', selector: twin }] });
  expect(offersOf(node, reportedBy(node), { awaited: [twin] })).toEqual([
    { slots: 2, selectors: new Set([anyModel, twin]), cluster: clusterA, node },
  ]);
  expect(looked).toEqual([twin]);
  expect(offersOf(node, freedAt(node), { awaited: ['mdl_1111111111111111' as ModelSelector] })).toEqual([]);
});

test('models of one engine share its places, and those that are not loaded get none', () => {
  const node = new FakeNode('a', {
    models: [{}, { key: 'engine/twin', selector: twin }, { key: 'engine/cold', state: 'installed' }],
  });
  expect(offersOf(node, reportedBy(node))).toEqual([
    { slots: 2, selectors: new Set([anyModel, selector, twin]), cluster: clusterA, node },
  ]);
});

test('a slot that was freed is one place, for the models of its engine', () => {
  const node = new FakeNode('a', { models: [{}, { key: 'other/twin', engine: 'other', selector: twin }] });
  expect(offersOf(node, freedAt(node))).toEqual([
    { slots: 1, selectors: new Set([anyModel, selector]), cluster: clusterA, node },
  ]);
  expect(offersOf(node, freedAt(node, 'other'))).toEqual([
    { slots: 1, selectors: new Set([anyModel, twin]), cluster: clusterA, node },
  ]);
});

test('a slot of a node that has left is offered to no request', () => {
  const node = new FakeNode('a');
  expect(offersOf(node, freedAt(new FakeNode('gone')))).toEqual([]);
});

test('a shared name offers the place to the queues of all its models', () => {
  const node = new FakeNode('a');
  const lookup: ModelLookup = { kind: 'shared', selectors: [selector, twin], placements: () => [] };
  for (const awaited of [[selector], [twin]])
    expect(offersOf(node, freedAt(node), { lookup, awaited })[0]?.selectors).toEqual(
      new Set([anyModel, selector, twin]),
    );
});
