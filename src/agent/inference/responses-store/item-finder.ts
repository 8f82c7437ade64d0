import type { ResponseItem } from '../../../dialects/responses/items.js';
import type { ResponseStore } from './response-store.js';

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
