import type { ReplicaId } from '../../../kernel/ids.js';
import type { BusMessage } from '../../platform/workers/worker-messages.js';

/** Sends to one worker. @returns false when too much waits for it: the message is lost then, as on any bus */
export type SendToWorker = (message: BusMessage) => boolean;

/** Passes messages of workers on to each other, in the primary process. It looks into none. */
export class BusHub {
  private readonly members = new Map<ReplicaId, SendToWorker>();

  /** @returns ends the membership */
  join(replicaId: ReplicaId, send: SendToWorker): () => void {
    this.members.set(replicaId, send);
    return () => {
      this.members.delete(replicaId);
    };
  }

  pass(message: BusMessage): void {
    if (message.to === null) {
      for (const [replicaId, send] of this.members) if (replicaId !== message.from) send(message);
      return;
    }
    const delivered = this.members.get(message.to)?.(message) ?? false;
    if (delivered || message.type !== 'request') return;
    const { channel, from, to, id } = message;
    this.members.get(from)?.({ kind: 'bus', channel, from: to, type: 'unreachable', to: from, id });
  }
}
