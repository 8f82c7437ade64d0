import type { Clock } from '../../kernel/clock.js';
import type { ResultMessage } from '../../link/messages.js';
import type { FinishedRecord } from './operations-file.js';

const REMEMBERED_OPERATIONS = 100;
const REMEMBERED_MS = 24 * 60 * 60 * 1_000;

/** Results of recent operations: the relay may have missed one, or may repeat a command. */
export class FinishedOperations {
  private readonly byId = new Map<string, FinishedRecord>();

  /** @param clock wall time is used, because results outlive the process */
  constructor(private readonly clock: Clock) {}

  add(result: ResultMessage, finishedAtMs: number = this.clock.wallMs()): void {
    this.byId.delete(result.operation_id);
    this.byId.set(result.operation_id, { result, finished_at_ms: finishedAtMs });
    for (const id of this.byId.keys()) {
      if (this.byId.size <= REMEMBERED_OPERATIONS) break;
      this.byId.delete(id);
    }
  }

  find(id: string): ResultMessage | undefined {
    this.forgetOld();
    return this.byId.get(id)?.result;
  }

  /** The oldest first. */
  all(): FinishedRecord[] {
    this.forgetOld();
    return [...this.byId.values()];
  }

  private forgetOld(): void {
    const oldestMs = this.clock.wallMs() - REMEMBERED_MS;
    for (const [id, { finished_at_ms: finishedAtMs }] of this.byId) if (finishedAtMs < oldestMs) this.byId.delete(id);
  }
}
