/** An engine that advertises more slots than it has, in virtual time, with the relay's real code. */
import { describe, expect, test } from '@jest/globals';
import { VirtualTime } from '../../bench/simulator/virtual-time.js';
import type { Placement } from '../../src/relay/inventory/model-entry.js';
import { Occupancy } from '../../src/relay/routing/admission/occupancy.js';
import { unknownProfile } from '../../src/relay/routing/selection/costing.js';
import { slotAt } from '../../src/relay/routing/selection/capacity.js';
import { RoutingStats } from '../../src/relay/routing/selection/routing-stats.js';
import { FakeNode, reportedModel } from '../support/relay/routing-fleet.js';

const PREFILL_MS = 500;
const DECODE_MS = 10_000;
const PROMPT_TOKENS = 1_000;
const ADVERTISED = 8;

/** A node that advertises 8 slots, whose engine runs `real` requests at once and queues the others. Demand is unlimited. */
class InferenceHarness {
  readonly time = new VirtualTime();
  readonly stats = new RoutingStats(this.time, { affinityKeys: 10 });
  readonly placement: Placement = { node: new FakeNode('a', { slots: ADVERTISED }), report: reportedModel() };
  /** Number of requests at the node, at each dispatch. */
  readonly used: number[] = [];
  private readonly occupancy = new Occupancy<object>();
  private readonly line: (() => void)[] = [];
  private running = 0;

  constructor(private readonly real: number) {}

  run(requests: number): void {
    this.fill(requests);
    this.time.run();
  }

  private fill(left: number): void {
    const slot = slotAt(this.placement);
    const limit = (): number => Math.min(ADVERTISED, this.stats.slots.limitOf(this.placement));
    while (left - this.used.length > 0 && this.occupancy.busy(slot) < limit()) {
      const owner = {};
      this.occupancy.move(owner, slot);
      const others = this.occupancy.busy(slot) - 1;
      this.used.push(others + 1);
      const record = this.stats.sent({ placement: this.placement, cachedPromptTokens: 0 }, unknownProfile, others);
      const requestedAtMs = this.time.monotonicMs();
      this.line.push(() => {
        this.running += 1;
        this.time.after(PREFILL_MS, () => {
          const firstEventMs = this.time.monotonicMs() - requestedAtMs;
          this.stats.begun(record);
          this.time.after(DECODE_MS, () => {
            this.running -= 1;
            this.stats.ended(record, this.occupancy.busy(slot) - 1, {
              completed: true,
              faultSubject: null,
              firstEventMs,
              totalMs: this.time.monotonicMs() - requestedAtMs,
              inputTokens: PROMPT_TOKENS,
              cachedTokens: 0,
              outputTokens: 100,
            });
            this.occupancy.move(owner, null);
            this.serve();
            this.fill(left);
          });
        });
      });
      this.serve();
    }
  }

  private serve(): void {
    if (this.running < this.real) this.line.shift()?.();
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('an engine that advertises 8 slots', () => {
  test.each([1, 2, 4])('and runs %i soon gets about that many', (real) => {
    const harness = new InferenceHarness(real);
    harness.run(400);
    const settled = harness.used.slice(200);
    expect(mean(settled)).toBeGreaterThan(real - 1);
    expect(mean(settled)).toBeLessThan(real + 2);
    expect(Math.max(...settled)).toBeLessThan(ADVERTISED);
  });

  test('and runs 8 gets all of them', () => {
    const harness = new InferenceHarness(ADVERTISED);
    harness.run(400);
    expect(harness.stats.slots.size).toBe(0);
    expect(Math.max(...harness.used)).toBe(ADVERTISED);
  });
});
