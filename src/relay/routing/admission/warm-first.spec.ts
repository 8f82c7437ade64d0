import { describe, expect, test } from '@jest/globals';
import { account, FakeNode, selector } from '../../../../test/support/relay/routing-fleet.js';
import type { ApiKeyId } from '../../../kernel/ids.js';
import { AdmissionQueue } from './admission-queue.js';
import type { ModelHost, Waiting } from './waiting.js';

const [here, elsewhere] = [new FakeNode('here'), new FakeNode('elsewhere')];

/** One place at a node starts the next of these requests. */
class Line {
  readonly queue = new AdmissionQueue(1_000, { monotonicMs: () => 0 });
  readonly started: string[] = [];
  private arrivals = 0;

  /** @param cachedPromptTokens that the node `here` has */
  join(name: string, cachedPromptTokens: number, key = 'key'): void {
    const waiting: Waiting = {
      accountId: account,
      keyPublicId: key as ApiKeyId,
      arrival: this.arrivals++,
      cachedPromptTokensOn: ({ nodeId }) => (nodeId === here.nodeId ? cachedPromptTokens : 0),
      tryStart: () => {
        this.started.push(name);
        this.queue.leave(waiting);
        return true;
      },
    };
    this.queue.join(waiting, selector);
  }

  /** @param node absent: it is not known where */
  placeFreed(node?: ModelHost): string | undefined {
    this.queue.slotsFreed(account, { slots: 1, selectors: null, ...(node && { node }) });
    return this.started.at(-1);
  }
}

describe('a place that becomes free', () => {
  test('goes to the request whose prompt its node has, and elsewhere to the oldest', () => {
    const line = new Line();
    line.join('first', 0);
    line.join('second', 100);
    line.join('third', 3_000);
    line.join('fourth', 0);
    expect(line.placeFreed(here)).toBe('third');
    expect(line.placeFreed(elsewhere)).toBe('first');
    expect(line.placeFreed(here)).toBe('second');
    expect(line.placeFreed(here)).toBe('fourth');
  });

  test('at an unknown node goes to the oldest', () => {
    const line = new Line();
    line.join('old', 0);
    line.join('warm', 3_000);
    expect(line.placeFreed()).toBe('old');
  });

  test('a place that becomes free does not pass over the key whose turn it is', () => {
    const line = new Line();
    line.join('of a', 0, 'a');
    line.join('of b', 3_000, 'b');
    expect(line.placeFreed(here)).toBe('of a');
  });

  test('goes to a request that eight younger ones have overtaken, and never to one behind the first eight', () => {
    const line = new Line();
    line.join('cold', 0);
    for (let index = 0; index < 7; index += 1) line.join(`idle ${index}`, 0);
    line.join('ninth', 9_000);
    expect(line.placeFreed(here)).toBe('cold');
    const other = new Line();
    other.join('cold', 0);
    for (let index = 0; index < 20; index += 1) other.join(`warm ${index}`, 3_000);
    for (let place = 0; place < 9; place += 1) other.placeFreed(here);
    expect(other.started.indexOf('cold')).toBe(8);
  });
});
