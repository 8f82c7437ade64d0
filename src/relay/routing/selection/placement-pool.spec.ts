import { expect, test } from '@jest/globals';
import { FakeNode, reportedModel } from '../../../../test/support/relay/routing-fleet.js';
import { FreedNodes } from '../admission/freed-nodes.js';
import { rendezvousWeight, textHash } from '../affinity/rendezvous-weight.js';
import { PlacementPool } from './placement-pool.js';

test('a conversation prefers the first placement on the ring from its own hash on', () => {
  for (const nodes of [1, 2, 3, 100, 1_000]) {
    const placements = Array.from({ length: nodes }, (_, index) => ({
      node: new FakeNode(`n${index}`),
      report: reportedModel(),
    }));
    const points = placements
      .map((placement, position) => ({ hash: rendezvousWeight('', placement) >>> 0, position }))
      .sort((a, b) => a.hash - b.hash || a.position - b.position);
    const pool = new PlacementPool(placements, new FreedNodes());
    for (let conversation = 0; conversation < 200; conversation += 1) {
      const hash = textHash(`conversation ${conversation}`, 1);
      const first = points.find((point) => point.hash >= hash) ?? points[0];
      expect(pool.preferredBy(`conversation ${conversation}`, 1)).toBe(first?.position);
    }
  }
});
