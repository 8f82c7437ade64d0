import type { ReplicaId } from '../../../kernel/ids.js';
import type { RawHandler, RawResponder } from './bus-transport.js';

/** What one replica listens to, for transports that deliver by themselves. */
export class TopicTable {
  private readonly handlers = new Map<string, Set<RawHandler>>();
  private readonly responders = new Map<string, RawResponder>();

  /** @returns ends the subscription */
  subscribe(topic: string, handler: RawHandler): () => void {
    const handlers = this.handlers.get(topic) ?? new Set();
    // Of its own, so that one function can be subscribed twice.
    const own: RawHandler = (from, bytes) => {
      handler(from, bytes);
    };
    this.handlers.set(topic, handlers.add(own));
    return () => {
      handlers.delete(own);
    };
  }

  /** @returns ends it, unless the topic has another one by then */
  respond(topic: string, responder: RawResponder): () => void {
    this.responders.set(topic, responder);
    return () => {
      if (this.responders.get(topic) === responder) this.responders.delete(topic);
    };
  }

  responderOf(topic: string): RawResponder | undefined {
    return this.responders.get(topic);
  }

  deliver(topic: string, from: ReplicaId, bytes: Uint8Array): void {
    for (const handler of this.handlers.get(topic) ?? []) handler(from, bytes);
  }
}
