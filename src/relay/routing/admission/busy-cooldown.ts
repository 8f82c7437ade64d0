import type { AccountId } from '../../../kernel/ids.js';
import type { TimerWheel } from '../../platform/timing/timer-wheel.js';
import { slotKey, type Slot } from './occupancy.js';

/**
 * An agent gives a slot back when its engine has stopped, up to a second after the relay let go of the request. Until this much later
 * its word counts more than the relay's own count.
 */
const BUSY_MARK_MS = 500;

/** Engines that refused a request as busy although the relay counted a free slot. Everybody waits, instead of each being refused in turn. */
export class BusyCooldown {
  private readonly marked = new Set<string>();

  /** @param onClear the engine may be tried again: wake who waits. */
  constructor(
    private readonly timers: Pick<TimerWheel, 'schedule'>,
    private readonly onClear: (accountId: AccountId) => void,
  ) {}

  mark(accountId: AccountId, slot: Slot): void {
    const key = slotKey(slot);
    if (this.marked.has(key)) return;
    this.marked.add(key);
    this.timers.schedule(BUSY_MARK_MS, () => {
      this.marked.delete(key);
      this.onClear(accountId);
    });
  }

  has(slot: Slot): boolean {
    return this.marked.size > 0 && this.marked.has(slotKey(slot));
  }
}
