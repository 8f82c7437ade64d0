import type { ProgressMessage, ResultMessage } from '../../link/messages.js';

/** A link session of the node. */
export interface OperationOutlet {
  sendProgress(message: ProgressMessage): unknown;
  sendResult(message: ResultMessage): unknown;
}

/** Sends progress and results on the link that was admitted last. Without a link they are dropped and sent again after the next READY. */
export class OperationSender {
  private outlet: OperationOutlet | undefined;

  constructor(private readonly onUnexpected: (error: unknown) => void) {}

  attach(outlet: OperationOutlet): void {
    this.outlet = outlet;
  }

  /** The link has ended; another one may have taken over before. */
  detach(outlet: OperationOutlet): void {
    if (this.outlet === outlet) this.outlet = undefined;
  }

  progress(message: ProgressMessage): void {
    this.say((outlet) => outlet.sendProgress(message));
  }

  result(message: ResultMessage): void {
    this.say((outlet) => outlet.sendResult(message));
  }

  /** A failure to send must not stop the operation. */
  private say(send: (outlet: OperationOutlet) => unknown): void {
    try {
      if (this.outlet !== undefined) send(this.outlet);
    } catch (error) {
      this.onUnexpected(error);
    }
  }
}
