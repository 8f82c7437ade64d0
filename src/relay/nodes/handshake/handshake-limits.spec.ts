import { describe, expect, it } from '@jest/globals';
import type { NodeId } from '../../../kernel/ids.js';
import { HandshakeLimits } from './handshake-limits.js';

const create = (): HandshakeLimits =>
  new HandshakeLimits({ linkUpgradesPerMinute: 2, linkFailedAuthenticationsPerMinute: 2 });

describe('HandshakeLimits', () => {
  it('limits the connections of each node on its own', () => {
    const limits = create();
    const [one, other] = ['nd_1' as NodeId, 'nd_2' as NodeId];
    expect(limits.upgrade(one)).toBeUndefined();
    expect(limits.upgrade(one)).toBeUndefined();
    const waitSeconds = limits.upgrade(one);
    expect(waitSeconds).toBeGreaterThan(0);
    expect(waitSeconds).toBeLessThanOrEqual(60);
    expect(limits.upgrade(other)).toBeUndefined();
  });

  it('blocks an address after too many failures, without charging checks', () => {
    const limits = create();
    for (let asked = 0; asked < 5; asked += 1) expect(limits.blocked('10.0.0.1')).toBeUndefined();
    limits.failed('10.0.0.1');
    expect(limits.blocked('10.0.0.1')).toBeUndefined();
    limits.failed('10.0.0.1');
    expect(limits.blocked('10.0.0.1')).toBeGreaterThan(0);
    expect(limits.blocked('10.0.0.2')).toBeUndefined();
  });
});
