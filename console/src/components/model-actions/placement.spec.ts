import { describe, expect, it } from '@jest/globals';
import type { Operation } from '../../api/operation-state';
import type { NodeModel } from '../node-facts';
import { isReadyToChat, rankOfPlace, type Placement } from './placement';

const place = (model: Partial<NodeModel>, others: Partial<Placement> = {}): Placement =>
  ({ model: { state: 'installed', reason: null, embedding: false, ...model }, ...others }) as Placement;

describe('the models of a computer', () => {
  it('come loaded ones first, then those in work, in trouble, and the others', () => {
    const ranks = [
      place({ state: 'loaded' }),
      place({ state: 'loading' }),
      place({ state: 'failed' }),
      place({ reason: 'engine_unreachable' }),
      place({}),
    ].map(rankOfPlace);
    expect(ranks).toEqual(ranks.toSorted());
    expect(new Set(ranks).size).toBe(ranks.length);
  });

  it('are ready to chat when they are loaded and write text', () => {
    expect(isReadyToChat(place({ state: 'loaded' }))).toBe(true);
    expect(isReadyToChat(place({}))).toBe(false);
    expect(isReadyToChat(place({ state: 'loaded', embedding: true }))).toBe(false);
    expect(isReadyToChat(place({ state: 'loaded', reason: 'engine_unreachable' }))).toBe(false);
    expect(isReadyToChat(place({ state: 'loaded' }, { operation: {} as Operation }))).toBe(false);
  });
});
