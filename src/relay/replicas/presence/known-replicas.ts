import type { Clock } from '../../../kernel/clock.js';
import type { LiveReplicas } from '../../nodes/handshake/live-replicas.js';
import type { BusStatus } from '../bus/bus-transport.js';
import type { PresenceTable } from './presence-table.js';

export interface KnownReplicasOptions {
  readonly table: Pick<PresenceTable, 'servingReplicas' | 'linkAddresses' | 'joins'>;
  readonly bus: { readonly status: BusStatus };
  readonly clock: Clock;
  /** The link address of this replica. */
  readonly linkAddress: string | null;
  /** After the bus has returned, the other replicas are heard again within this time. */
  readonly settleMs: number;
}

/**
 * The replicas that serve requests, as nodes are told of them. Without the bus the others fall silent, although they still run: the last
 * known ones are kept then, so that nodes do not give up their links.
 */
export class KnownReplicas implements LiveReplicas {
  private last: { readonly count: number; readonly linkAddresses: readonly string[] };
  /** Monotonic. */
  private outageAtMs = -Infinity;

  constructor(private readonly options: KnownReplicasOptions) {
    this.last = { count: 1, linkAddresses: this.withOwn([]) };
  }

  count(): number {
    return this.current().count;
  }

  linkAddresses(): readonly string[] {
    return this.current().linkAddresses;
  }

  joins(): number {
    return this.options.table.joins;
  }

  private current(): { readonly count: number; readonly linkAddresses: readonly string[] } {
    const { table, bus, clock, settleMs } = this.options;
    const nowMs = clock.monotonicMs();
    if (bus.status !== 'connected') this.outageAtMs = nowMs;
    const count = table.servingReplicas + 1;
    // After an outage, more replicas are believed at once, and fewer when those that are left had time to be heard.
    if (nowMs - this.outageAtMs >= settleMs || count >= this.last.count)
      this.last = { count, linkAddresses: this.withOwn(table.linkAddresses) };
    return this.last;
  }

  private withOwn(others: readonly string[]): readonly string[] {
    const { linkAddress } = this.options;
    // In one order, so that nodes are told of changes only.
    const all = [...(linkAddress === null ? [] : [linkAddress]), ...others].sort();
    // Repetitions last: the limit of the message must not cut an address off for the sake of another one's workers.
    const repeated = all.filter((address, at) => address === all[at - 1]);
    return [...new Set(all), ...repeated];
  }
}
