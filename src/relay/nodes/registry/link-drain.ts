import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, Rng } from '../../../kernel/clock.js';
import type { DrainParticipant } from '../../platform/lifecycle/drain-registry.js';
import type { NodeRegistry } from './node-registry.js';

/** Nodes of a relay that stops come back over at most this time (docs/reference/limits.md#drain), and sooner when they are few. */
const LONGEST_SPREAD_MS = 10_000;
const SPREAD_PER_NODE_MS = 100;
const POLL_MS = 50;
/** At the deadline the owners of requests end them with their reason. A link that closed at the same moment would report a lost node. */
const OWNERS_FIRST_MS = 500;

/** Sends nodes away when the relay stops, and closes their links when no request runs on them. */
export class LinkDrain implements DrainParticipant {
  readonly name = 'links';

  constructor(
    private readonly registry: Pick<NodeRegistry, 'links' | 'drain' | 'openStreams' | 'closeAll'>,
    private readonly clock: Clock,
    private readonly random: Rng,
  ) {}

  async drain(deadlineMs: number): Promise<void> {
    const spreadMs = Math.min(LONGEST_SPREAD_MS, SPREAD_PER_NODE_MS * this.registry.links);
    this.registry.drain(() => Math.floor(this.random() * spreadMs));
    const closeMs = deadlineMs + OWNERS_FIRST_MS;
    while (this.registry.openStreams > 0 && this.clock.monotonicMs() < closeMs) await delay(POLL_MS);
    this.registry.closeAll();
  }
}
