import { expect, test } from '@jest/globals';
import { FakeNode, selector } from '../../../../test/support/relay/routing-fleet.js';
import type { ModelSelector } from '../../../kernel/ids.js';
import type { ModelLookup } from '../../inventory/model-entry.js';
import { anyModel } from '../admission/waiting.js';
import { freePlaces } from './free-places.js';

const twin = 'mdl_ffffffffffffffff' as ModelSelector;
const unknown = (): ModelLookup => ({ kind: 'unknown' });
const free = (slots: number): { freeSlots: () => number } => ({ freeSlots: () => slots });

test('a full node and one that takes no work have no places', () => {
  expect(freePlaces(new FakeNode('full'), free(0), unknown)).toBeNull();
  expect(freePlaces(new FakeNode('paused', { acceptsWork: false }), free(1), unknown)).toBeNull();
});

test('models of one engine share its places, and those that are not loaded get none', () => {
  const node = new FakeNode('a', {
    models: [{}, { key: 'engine/twin', selector: twin }, { key: 'engine/cold', state: 'installed' }],
  });
  expect(freePlaces(node, free(2), unknown)).toEqual({ places: 2, selectors: new Set([anyModel, selector, twin]) });
});

test('a shared name offers the place to the queues of all its models', () => {
  const shared = (): ModelLookup => ({ kind: 'shared', selectors: [selector, twin], placements: () => [] });
  expect(freePlaces(new FakeNode('a'), free(1), shared)?.selectors).toEqual(new Set([anyModel, selector, twin]));
});
