import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { LinkArbiter, type EvictionReason, type ArbitratedLink } from './link-arbiter.js';

class FakeLink implements ArbitratedLink {
  readonly received: string[] = [];
  constructor(
    readonly epoch: number,
    readonly processId: string,
  ) {}
  retire(): void {
    this.received.push('retire');
  }
  evict(reason: EvictionReason): void {
    this.received.push(reason);
  }
}

const MINUTE_MS = 60_000;
let clock: ManualClock;
let arbiter: LinkArbiter<FakeLink>;
let epoch: number;
beforeEach(() => {
  clock = new ManualClock();
  arbiter = new LinkArbiter(clock);
  epoch = 0;
});

const next = (processId: string): FakeLink => new FakeLink((epoch += 1), processId);
const take = (processId: string): FakeLink => {
  const link = next(processId);
  arbiter.take(link);
  return link;
};

describe('LinkArbiter', () => {
  it('accepts the first link', () => {
    const link = next('p');
    expect(arbiter.take(link)).toBe('accepted');
    expect(arbiter.current).toBe(link);
    expect(link.received).toEqual([]);
  });

  it('hands over to a new link of the same process', () => {
    const older = take('p');
    const newer = take('p');
    expect(arbiter.current).toBe(newer);
    expect([older.received, newer.received]).toEqual([['retire'], []]);
  });

  it('ends the older link for a link of another process', () => {
    const older = take('p');
    const newer = take('q');
    expect(arbiter.current).toBe(newer);
    expect(older.received).toEqual(['superseded']);
  });

  it('ends draining links too when another process takes over', () => {
    const oldest = take('p');
    take('p');
    take('q');
    expect(oldest.received).toEqual(['retire', 'superseded']);
  });

  it('hands over between links of one process that carry one epoch', () => {
    const [older, newer] = [new FakeLink(1, 'p'), new FakeLink(1, 'p')];
    expect([arbiter.take(older), arbiter.take(newer)]).toEqual(['accepted', 'accepted']);
    expect(arbiter.current).toBe(newer);
    expect([older.received, newer.received]).toEqual([['retire'], []]);
  });

  it('refuses another process that claims the same epoch', () => {
    const standing = take('p');
    const liar = new FakeLink(standing.epoch, 'q');
    expect(arbiter.take(liar)).toBe('refused');
    expect([standing.received, liar.received]).toEqual([[], ['superseded']]);
  });

  it.each(['p', 'q'])('refuses a late HELLO with a lower epoch (process %s)', (processId) => {
    const slow = next(processId);
    const standing = take('p');
    expect(arbiter.take(slow)).toBe('refused');
    expect(arbiter.current).toBe(standing);
    expect([slow.received, standing.received]).toEqual([['superseded'], []]);
  });

  it('keeps a bounded number of draining links', () => {
    const links = Array.from({ length: 6 }, () => take('p'));
    expect(links.map(({ received }) => received.includes('too_many_links'))).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it('reports whether the active link has left', () => {
    const older = take('p');
    const newer = take('p');
    expect(arbiter.leave(older)).toBe(false);
    expect(arbiter.leave(newer)).toBe(true);
    expect([arbiter.current, arbiter.vacant]).toEqual([null, true]);
  });

  it('LinkArbiter does not count a reconnect after a loss', () => {
    for (let restart = 0; restart < 10; restart += 1) {
      const link = take(`p${restart}`);
      expect(arbiter.current).toBe(link);
      arbiter.leave(link);
    }
  });

  describe('when two computers compete for one identity', () => {
    const fight = (swaps: number, everyMs: number): FakeLink[] => {
      const links = [take('p')];
      for (let swap = 1; swap <= swaps; swap += 1) {
        clock.advance(everyMs);
        links.push(take(swap % 2 === 0 ? 'p' : 'q'));
      }
      return links;
    };

    it('tolerates three swaps in five minutes', () => {
      const links = fight(3, MINUTE_MS);
      expect(arbiter.current).toBe(links.at(-1));
      expect(arbiter.refusedForMs).toBe(0);
    });

    it('refuses both at the fourth, for five minutes', () => {
      const links = fight(4, MINUTE_MS);
      expect(arbiter.current).toBeNull();
      expect(links.slice(-2).map(({ received }) => received)).toEqual([
        ['same_identity_twice'],
        ['same_identity_twice'],
      ]);
      expect(arbiter.refusedForMs).toBe(5 * MINUTE_MS);

      clock.advance(5 * MINUTE_MS - 1);
      const early = next('p');
      expect(arbiter.take(early)).toBe('refused');
      expect([early.received, arbiter.vacant]).toEqual([['same_identity_twice'], false]);

      clock.advance(1);
      expect(arbiter.take(next('p'))).toBe('accepted');
    });

    it('tolerates swaps that are far apart', () => {
      const links = fight(10, 2 * MINUTE_MS);
      expect(arbiter.current).toBe(links.at(-1));
    });

    it('does not count make-before-break', () => {
      const links = Array.from({ length: 20 }, () => take('p'));
      expect(arbiter.current).toBe(links.at(-1));
    });
  });

  describe('when a process is connected to another replica', () => {
    it('ends the links of older processes, those that drain too', () => {
      const draining = take('p');
      const active = take('p');
      expect(arbiter.endOlder(3)).toBe(active);
      expect([draining.received, active.received]).toEqual([['retire', 'superseded'], ['superseded']]);
      expect(arbiter.current).toBeNull();
    });

    it('keeps links of the same process and of a newer one', () => {
      const link = take('p');
      expect(arbiter.endOlder(1)).toBeNull();
      expect(arbiter.endOlder(0)).toBeNull();
      expect([arbiter.current, link.received]).toEqual([link, []]);
    });

    it('refuses both of two computers that keep replacing each other there', () => {
      const links = Array.from({ length: 4 }, () => {
        const link = take('p');
        arbiter.endOlder((epoch += 1));
        clock.advance(MINUTE_MS);
        return link;
      });
      expect(links.map(({ received }) => received.at(-1))).toEqual([
        'superseded',
        'superseded',
        'superseded',
        'same_identity_twice',
      ]);
      expect(arbiter.take(next('q'))).toBe('refused');
    });
  });

  it('forgets expired swaps', () => {
    take('p');
    const last = take('q');
    arbiter.leave(last);
    expect(arbiter.vacant).toBe(false);
    clock.advance(5 * MINUTE_MS);
    expect(arbiter.vacant).toBe(true);
  });
});
