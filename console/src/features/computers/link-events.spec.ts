import { describe, expect, it } from '@jest/globals';
import { endOfConnection } from './link-events';

const connected = (at: string) => ({ at, event: 'connected' as const, reason: null, detail: '' });
const ended = (at: string, reason: 'dead' | 'peer_closed') => ({
  at,
  event: 'disconnected' as const,
  reason,
  detail: '',
});

describe('endOfConnection', () => {
  it('says how the newest connection ended, in whatever order they come', () => {
    const events = [
      ended('2026-01-03T00:00:00Z', 'dead'),
      connected('2026-01-02T00:00:00Z'),
      ended('2026-01-01T00:00:00Z', 'peer_closed'),
    ];
    expect(endOfConnection(events)).toBe('It fell silent.');
    expect(endOfConnection(events.toReversed())).toBe('It fell silent.');
  });

  it('says nothing of a connection whose end is not known', () => {
    expect(endOfConnection([ended('2026-01-01T00:00:00Z', 'dead'), connected('2026-01-02T00:00:00Z')])).toBeUndefined();
    expect(endOfConnection([])).toBeUndefined();
    expect(endOfConnection()).toBeUndefined();
  });
});
