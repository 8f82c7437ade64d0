import type { ProgressMessage, ResultMessage } from '../../link/messages.js';

/** A link session of the node. */
export interface OperationOutlet {
  sendProgress(message: ProgressMessage): unknown;
  sendResult(message: ResultMessage): unknown;
}

/** Says what there is to say on the link that was admitted last; without one it is lost, and said again after the next READY. */
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

  /** A message that cannot be sent costs nobody but itself. */
  private say(send: (outlet: OperationOutlet) => unknown): void {
    try {
      if (this.outlet !== undefined) send(this.outlet);
    } catch (error) {
      this.onUnexpected(error);
    }
  }
}
