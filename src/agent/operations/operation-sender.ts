import type { ProgressMessage, ResultMessage } from '../../link/messages.js';

/** A link session of the node. */
export interface OperationOutlet {
  sendProgress(message: ProgressMessage): unknown;
  sendResult(message: ResultMessage): unknown;
}

/**
 * Sends progress and results to the replica that sent the operation's first COMMAND, or a cancel: another one that repeats the COMMAND does
 * not get them, because what two replicas were told could be stored in the wrong order. Without a link to it they go to the replica that was
 * linked last; without any they are dropped, and sent again after the next READY.
 */
export class OperationSender {
  /** By replica, that which was linked last at the end. A newer link to the same replica replaces the older one. */
  private readonly outlets = new Map<string, OperationOutlet>();
  /** Replicas by operation, until its result. */
  private readonly commanders = new Map<string, string>();

  constructor(private readonly onUnexpected: (error: unknown) => void) {}

  attach(outlet: OperationOutlet, replica: string): void {
    this.outlets.delete(replica);
    this.outlets.set(replica, outlet);
  }

  /** The link has ended; another one may have taken over before. */
  detach(outlet: OperationOutlet): void {
    for (const [replica, attached] of this.outlets) if (attached === outlet) this.outlets.delete(replica);
  }

  /** @param repeated the operation is known already */
  commandedBy(replica: string, operationId: string, repeated: boolean): void {
    const commander = this.commanders.get(operationId);
    if (!repeated || commander === undefined || !this.outlets.has(commander)) this.commanders.set(operationId, replica);
  }

  /** Whether messages about this operation go to this replica. */
  reaches(replica: string, operationId: string): boolean {
    return this.outletOf(operationId) === this.outlets.get(replica);
  }

  progress(message: ProgressMessage): void {
    const outlet = this.outletOf(message.operation_id);
    if (outlet !== undefined) this.progressTo(outlet, message);
  }

  result(message: ResultMessage): void {
    const outlet = this.outletOf(message.operation_id);
    this.commanders.delete(message.operation_id);
    if (outlet !== undefined) this.resultTo(outlet, message);
  }

  progressTo(outlet: OperationOutlet, message: ProgressMessage): void {
    this.attempt(() => outlet.sendProgress(message));
  }

  resultTo(outlet: OperationOutlet, message: ResultMessage): void {
    this.attempt(() => outlet.sendResult(message));
  }

  private outletOf(operationId: string): OperationOutlet | undefined {
    const commander = this.commanders.get(operationId);
    const outlet = commander === undefined ? undefined : this.outlets.get(commander);
    return outlet ?? [...this.outlets.values()].at(-1);
  }

  /** A failure to send must not stop the operation. */
  private attempt(send: () => unknown): void {
    try {
      send();
    } catch (error) {
      this.onUnexpected(error);
    }
  }
}
