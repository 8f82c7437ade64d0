import type { ProgressMessage } from '../../link/messages.js';
import type { OperationProgress } from '../engines/engine-management.js';
import type { OperationCommand } from './operation-command.js';
import type { ProgressPacer } from './progress-pacer.js';

const MAX_PHASE_CHARACTERS = 200;

/** One operation from its COMMAND to its RESULT. */
export class NodeOperation {
  state: ProgressMessage['state'] = 'queued';
  /** The owner wants it stopped; what it has come to by then counts. */
  cancelRequested = false;
  /** Ends the wait for an engine that was told to stop. */
  cancelGrace: (() => void) | undefined;
  private progress: OperationProgress = { phase: 'waiting', completedBytes: null, totalBytes: null };
  private readonly controller = new AbortController();

  /**
   * @param command an install's `engine` is filled in when it is settled, so that a restart goes on with the same one
   * @param resumed it ran in an earlier process of this node, which may even have finished it
   */
  constructor(
    public command: OperationCommand,
    readonly resumed: boolean,
  ) {}

  get id(): string {
    return this.command.operation_id;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** @returns whether that says anything new */
  take({ phase, completedBytes, totalBytes }: OperationProgress): boolean {
    const before = this.progress;
    this.progress = {
      phase: phase.slice(0, MAX_PHASE_CHARACTERS),
      completedBytes: byteCount(completedBytes),
      totalBytes: byteCount(totalBytes),
    };
    return (
      before.phase !== this.progress.phase ||
      before.completedBytes !== this.progress.completedBytes ||
      before.totalBytes !== this.progress.totalBytes
    );
  }

  message(): ProgressMessage {
    const { phase, completedBytes, totalBytes } = this.progress;
    return {
      operation_id: this.id,
      state: this.state,
      phase,
      completed_bytes: completedBytes,
      total_bytes: totalBytes,
    };
  }

  abort(): void {
    this.controller.abort();
  }
}

/** An operation with the pacer of its progress messages. */
export interface PacedOperation {
  readonly operation: NodeOperation;
  readonly pacer: ProgressPacer;
}

/** Engines count as they like; the message takes whole numbers only. */
const byteCount = (value: number | null): number | null =>
  value !== null && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? Math.trunc(value) : null;
