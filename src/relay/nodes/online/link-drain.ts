import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, Rng } from '../../../kernel/clock.js';
import type { DrainParticipant } from '../../platform/lifecycle/drain-registry.js';
import type { NodeRegistry } from './node-registry.js';

/** Reliability §2.10: the nodes of a relay that stops come back to the others over this time. */
const RECONNECT_SPREAD_MS = 10_000;
const POLL_MS = 50;

/** Sends nodes away when the relay stops, and closes their links when nothing runs on them any more. */
export class LinkDrain implements DrainParticipant {
  readonly name = 'links';

  constructor(
    private readonly registry: Pick<NodeRegistry, 'drain' | 'openStreams' | 'closeAll'>,
    private readonly clock: Clock,
    private readonly random: Rng,
  ) {}

  async drain(deadlineMs: number): Promise<void> {
    this.registry.drain(() => Math.floor(this.random() * RECONNECT_SPREAD_MS));
    while (this.registry.openStreams > 0 && this.clock.monotonicMs() < deadlineMs) await delay(POLL_MS);
    this.registry.closeAll();
  }
}
