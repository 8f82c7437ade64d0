import type { ResponseItem } from '../../../dialects/responses/items.js';
import type { ConversationStore } from './conversation-store.js';

/** The conversations that can be continued with `previous_response_id` (docs/reference/translation.md#continued-conversations). */
export class ResponseStore {
  constructor(private readonly conversations: ConversationStore) {}

  /** @param items of the request that was answered, those that it continued included, and of the response, oldest first */
  keep(scope: string, responseId: string, items: readonly ResponseItem[]): void {
    const itemIds = new Set(items.flatMap(({ id }) => (typeof id === 'string' ? [id] : [])));
    this.conversations.keep(scope, responseId, items, itemIds);
  }

  /** The conversation up to this response, oldest item first; undefined when it is not (or no longer) here. */
  find(scope: string, responseId: string): readonly ResponseItem[] | undefined {
    return this.conversations.find(scope, responseId) as ResponseItem[] | undefined;
  }

  /** A conversation of the scope that has this item. Reading one is expensive: a caller that looks up several items should keep the result. */
  findByItem(scope: string, itemId: string): readonly ResponseItem[] | undefined {
    return this.conversations.findByItem(scope, itemId) as ResponseItem[] | undefined;
  }
}

/** Finds items for one request, which may refer to hundreds of them: each conversation is read once. */
export class ItemFinder {
  private readonly known = new Map<unknown, ResponseItem>();

  constructor(
    private readonly store: Pick<ResponseStore, 'findByItem'>,
    private readonly scope: string,
  ) {}

  readonly find = (itemId: string): ResponseItem | undefined => {
    if (!this.known.has(itemId)) {
      for (const item of this.store.findByItem(this.scope, itemId) ?? []) this.known.set(item['id'], item);
    }
    return this.known.get(itemId);
  };
}
