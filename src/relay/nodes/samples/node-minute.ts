import type { StatusMessage } from '../../../link/messages.js';
import type { NodeSample } from './node-samples.store.js';

/** A figure that is not always reported. */
class Mean {
  private sum = 0;
  private count = 0;

  add(value: number | null | undefined): void {
    if (value === null || value === undefined) return;
    this.sum += value;
    this.count += 1;
  }

  get value(): number | null {
    return this.count === 0 ? null : this.sum / this.count;
  }
}

/** What its column holds. */
const MOST_SLOTS = 2_000_000_000;

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value));

/** The mean of what a node reported within a minute. Figures of nodes are not trusted: more than there is in total counts as all of it. */
export class NodeMinute {
  private readonly slotsUsed = new Mean();
  private readonly memoryUsed = new Mean();
  private readonly gpuUsed = new Mean();
  private slotsTotal = 0;
  private memoryTotal: number | null = null;
  private gpuTotal: number | null = null;

  add({ engines, memory_total_bytes: total, memory_free_bytes: free, gpus }: StatusMessage): void {
    this.slotsTotal = engines.reduce((sum, { slots_total }) => sum + slots_total, 0);
    this.slotsUsed.add(engines.reduce((sum, engine) => sum + Math.min(engine.slots_used, engine.slots_total), 0));
    if (total != null && free !== null) {
      this.memoryTotal = total;
      this.memoryUsed.add(Math.max(0, total - free));
    }
    // One that computes in the memory of the host has none of its own.
    const own = (gpus ?? []).filter(({ unified }) => unified !== true);
    if (own.length === 0 || own.some(({ free_bytes }) => free_bytes === null)) return;
    this.gpuTotal = own.reduce((sum, { total_bytes }) => sum + total_bytes, 0);
    this.gpuUsed.add(
      own.reduce((sum, { total_bytes, free_bytes }) => sum + Math.max(0, total_bytes - (free_bytes ?? 0)), 0),
    );
  }

  mean(): Omit<NodeSample, 'accountId' | 'nodeId'> {
    return {
      slotsUsed: this.slotsUsed.value ?? 0,
      slotsTotal: Math.min(this.slotsTotal, MOST_SLOTS),
      memoryUsed: rounded(this.memoryUsed.value),
      memoryTotal: this.memoryTotal,
      gpuUsed: rounded(this.gpuUsed.value),
      gpuTotal: this.gpuTotal,
    };
  }
}
