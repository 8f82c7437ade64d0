import type { Clock } from '../../../kernel/clock.js';
import type { NodeId } from '../../../kernel/ids.js';
import { LruMap } from '../../../kernel/lru-map.js';
import { printable } from '../../../kernel/printable.js';
import type { LinkCloseReason } from '../../../link/link-errors.js';

export interface LinkEvent {
  readonly atMs: number;
  readonly event: 'connected' | 'disconnected';
  /** Says why a link was lost; null for a new one. */
  readonly reason: LinkCloseReason | null;
  /** The closing side's explanation; empty when it gave none. */
  readonly detail: string;
  /** The node said before that it leaves. */
  readonly announced: boolean;
}

const NODES = 10_000;
const EVENTS_PER_NODE = 20;
const DETAIL_CHARACTERS = 200;

/** When nodes connected to this relay and why they left it: in memory, the last few of each. */
export class LinkHistory {
  private readonly events = new LruMap<NodeId, readonly LinkEvent[]>(NODES);

  constructor(private readonly clock: Clock) {}

  connected(node: NodeId): void {
    this.add(node, { event: 'connected', reason: null, detail: '', announced: false });
  }

  /** @param detail may be the node's own words */
  disconnected(node: NodeId, reason: LinkCloseReason, detail: string, announced: boolean): void {
    const shown = printable(detail.slice(0, DETAIL_CHARACTERS));
    this.add(node, { event: 'disconnected', reason, detail: shown, announced });
  }

  /** Oldest first. */
  of(node: NodeId): readonly LinkEvent[] {
    return this.events.get(node) ?? [];
  }

  private add(node: NodeId, event: Omit<LinkEvent, 'atMs'>): void {
    const added: LinkEvent = { atMs: this.clock.wallMs(), ...event };
    this.events.set(node, [...this.of(node), added].slice(-EVENTS_PER_NODE));
  }
}
