import type { MessageThread } from '../../../dialects/messages/thread.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { keyOf, type ConversationStore } from './conversation-store.js';

/** A response that was continued stays known without its conversation: to continue it again is another error than to continue nothing. */
type Kept = { readonly open: MessageThread } | { readonly open: null };

const CONTINUED: Kept = { open: null };
const PARAM = 'thread.previous_message_id';

/**
 * The message threads that requests can continue (docs/reference/translation.md#message-threads), each from its last response and once. Which
 * ones are being continued is known to this process only, as the threads are.
 */
export class ThreadStore {
  /** Answers that a running request continues; as many as requests run. */
  private readonly inFlight = new Set<string>();

  constructor(private readonly conversations: ConversationStore) {}

  /** Whether a thread of this size can be kept. */
  fits(bytes: number): boolean {
    return this.conversations.fits(bytes);
  }

  /** @param messageId of the last response */
  keep(scope: string, messageId: string, open: MessageThread): void {
    this.conversations.keep(scope, messageId, { open } satisfies Kept);
  }

  /** @throws FerryError when it is not here, or continued already, or being continued */
  find(scope: string, messageId: string): MessageThread {
    if (this.inFlight.has(keyOf(scope, messageId))) throw fault('thread_continue_in_flight');
    const kept = this.conversations.find(scope, messageId) as Kept | undefined;
    if (kept === undefined) throw fault('thread_not_found');
    if (kept.open === null) throw fault('thread_already_continued');
    return kept.open;
  }

  /** Until `released`, no other request continues this response. */
  held(scope: string, messageId: string): void {
    this.inFlight.add(keyOf(scope, messageId));
  }

  /** The request is over. Without `continued` before, the response may be continued again. */
  released(scope: string, messageId: string): void {
    this.inFlight.delete(keyOf(scope, messageId));
  }

  /** The next response is complete. */
  continued(scope: string, messageId: string): void {
    this.conversations.keep(scope, messageId, CONTINUED);
  }
}

type Fault = 'thread_not_found' | 'thread_already_continued' | 'thread_continue_in_flight';

const fault = (code: Fault): FerryError => new FerryError(code, undefined, { param: PARAM });
