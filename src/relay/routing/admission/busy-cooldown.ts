import type { AccountId } from '../../../kernel/ids.js';
import type { OnlineNode } from '../../nodes/registry/online-node.js';
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

  /** @param onClear the cooldown of an engine is over: its slots may be used. */
  constructor(
    private readonly timers: Pick<TimerWheel, 'schedule'>,
    private readonly onClear: (accountId: AccountId, slot: Slot) => void,
  ) {}

  mark(accountId: AccountId, slot: Slot): void {
    const key = slotKey(slot);
    if (this.marked.has(key)) return;
    this.marked.add(key);
    this.timers.schedule(BUSY_MARK_MS, () => {
      this.marked.delete(key);
      this.onClear(accountId, slot);
    });
  }

  /**
   * STATUS of a node. Where other replicas use it, too, STATUS follows every slot that is freed, and one that came after the rejection is
   * newer than it: the cooldown would only delay the next request.
   */
  reported({ nodeId, status }: Pick<OnlineNode, 'nodeId' | 'status'>): void {
    if (this.marked.size === 0 || status === null) return;
    for (const { name, slots_used_elsewhere: elsewhere, slots_used: used, slots_total: total } of status.engines)
      if (elsewhere !== undefined && used < total) this.marked.delete(slotKey({ nodeId, engine: name }));
  }

  has(slot: Slot): boolean {
    return this.marked.size > 0 && this.marked.has(slotKey(slot));
  }
}
