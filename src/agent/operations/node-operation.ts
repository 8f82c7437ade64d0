import type { ProgressMessage } from '../../link/messages.js';
import type { OperationProgress } from '../engines/engine-management.js';
import type { OperationCommand } from './operation-command.js';
import type { ProgressPacer } from './progress-pacer.js';

const MAX_PHASE_CHARACTERS = 200;

/** One operation from its COMMAND to its RESULT. */
export class NodeOperation {
  state: ProgressMessage['state'] = 'queued';
  /** A cancel was requested. The operation may still finish first. */
  cancelRequested = false;
  /** Cancels the grace period for an engine that was asked to stop. */
  cancelGrace: (() => void) | undefined;
  private progress: OperationProgress = { phase: 'waiting', completedBytes: null, totalBytes: null };
  private readonly controller = new AbortController();

  /**
   * @param command an install's `engine` is filled in once it is chosen, so that a restart continues with the same one
   * @param resumed it ran in an earlier process of this node, which may have finished it
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

  /** @returns whether anything changed */
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

/** Engines report any number; the message takes non-negative integers only. */
const byteCount = (value: number | null): number | null =>
  value !== null && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? Math.trunc(value) : null;
