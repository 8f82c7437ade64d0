import type { AccountId } from '../../../kernel/ids.js';
import type { TimerWheel } from '../../platform/timing/timer-wheel.js';
import { slotKey, type Slot } from './occupancy.js';

/**
 * An agent releases a slot when its engine has stopped, up to a second after the relay has released the request. Until then the agent's
 * count takes precedence over the relay's.
 */
const BUSY_MARK_MS = 500;

/**
 * Engines that rejected a request as busy although the relay counted a free slot. During the cooldown no request is sent there, instead of
 * each being rejected in turn.
 */
export class BusyCooldown {
  private readonly marked = new Set<string>();

  /** @param onClear the cooldown is over: wake the waiting requests. */
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
