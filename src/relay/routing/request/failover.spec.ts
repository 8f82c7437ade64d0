import { describe, expect, it } from '@jest/globals';
import type { NodeId } from '../../../kernel/ids.js';
import { Failover } from './failover.js';

const node = 'nd_1' as NodeId;
const MAX_REPICKS = 3;

describe('a request that a replica refuses as stale', () => {
  it('a request that a replica refuses as stale may go to the same node again, at another replica, at most three times', () => {
    const failover = new Failover(MAX_REPICKS, 'chat');
    const refusals = [0, 10, 20, 30].map((totalMs) => failover.refused(node, 'stale', totalMs));
    expect(refusals).toEqual([true, true, true, false]);
    expect(failover.excluded.has(node)).toBe(false);
  });

  it('goes nowhere else 2 s after the first refusal', () => {
    const failover = new Failover(MAX_REPICKS, 'chat');
    expect(failover.refused(node, 'stale', 5_000)).toBe(true);
    expect(failover.refused(node, 'busy', 7_000)).toBe(true);
    expect(failover.refused(node, 'stale', 7_001)).toBe(false);
  });

  it('a request that a replica refuses as stale is not sent again to a node that will not take it', () => {
    const failover = new Failover(MAX_REPICKS, 'chat');
    expect(failover.refused(node, 'unsupported', 0)).toBe(true);
    expect(failover.excluded.has(node)).toBe(true);
  });
});
