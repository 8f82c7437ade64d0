import type { MessagesEnvelope } from '../../dialects/messages/envelope.js';
import type { ContentBlock, MessageEvent } from '../../dialects/messages/from-chat/message.js';
import { ResponseContent } from '../../dialects/messages/from-chat/response-content.js';
import { unsupportedThread, withEarlierTurns, type ThreadUse } from '../../dialects/messages/thread.js';
import { elementsOf, type JsonObject } from '../../kernel/json-object.js';
import type { OpenMessage } from '../../link/messages.js';
import type { ThreadStore } from './conversations/thread-store.js';

type ThreadHead = Pick<OpenMessage, 'scope' | 'response_id'>;

/** One request of a message thread: puts the earlier turns in front, and keeps the conversation when it is answered. */
export class ThreadedMessage {
  /** Contains the whole conversation. */
  readonly body: JsonObject;
  readonly messageId: string;
  private readonly scope: string;
  /** The response that is continued; null: none. */
  private readonly previousId: string | null;
  private readonly response = new ResponseContent();

  /** @throws FerryError when the thread cannot be kept or continued */
  constructor(
    { body }: Pick<MessagesEnvelope, 'body'>,
    use: ThreadUse,
    { scope, response_id: messageId }: ThreadHead,
    private readonly threads: ThreadStore,
  ) {
    // Without an id from the relay no continuation would find this node.
    if (messageId == null) throw unsupportedThread();
    this.scope = scope;
    this.messageId = messageId;
    this.previousId = use.type === 'continue' ? use.previousMessageId : null;
    this.body = this.previousId === null ? body : withEarlierTurns(body, threads.find(scope, this.previousId));
  }

  /** Call when nothing of the request can fail before its engine is asked; `over` must follow. */
  begun(): void {
    if (this.previousId !== null) this.threads.held(this.scope, this.previousId);
  }

  /** Events for the client. */
  take(events: readonly MessageEvent[]): readonly MessageEvent[] {
    this.response.take(events);
    return events;
  }

  /** The response is complete. @param content of a whole response; absent: that of the events */
  answered(content: readonly ContentBlock[] = this.response.blocks): void {
    // First, because it frees what the conversation so far takes.
    if (this.previousId !== null) this.threads.continued(this.scope, this.previousId);
    const turns = elementsOf(this.body['messages']);
    this.threads.keep(this.scope, this.messageId, {
      system: this.body['system'] ?? null,
      tools: this.body['tools'] ?? null,
      messages: content.length === 0 ? turns : [...turns, { role: 'assistant', content }],
    });
  }

  /** The request has ended, answered or not. */
  over(): void {
    if (this.previousId !== null) this.threads.released(this.scope, this.previousId);
  }
}
