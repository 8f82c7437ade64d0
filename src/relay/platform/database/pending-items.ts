/** The oldest items that wait. They stay until they are written. */
export interface Batch<Item> {
  readonly items: readonly Item[];
  /** Removes them, but for those that were replaced meanwhile. */
  written(): void;
  /** Puts them behind all others. */
  moveBack(): void;
}

/** Items that wait to be written, and those that are being written. One batch at a time. */
export interface PendingItems<Item> {
  readonly size: number;
  put(key: string, item: Item): void;
  first(count: number): Batch<Item>;
  clear(): void;
}

/** The newest item of each key. */
export class NewestByKey<Item> implements PendingItems<Item> {
  private readonly byKey = new Map<string, Item>();

  get size(): number {
    return this.byKey.size;
  }

  put(key: string, item: Item): void {
    this.byKey.set(key, item);
  }

  first(count: number): Batch<Item> {
    const entries: [string, Item][] = [];
    for (const entry of this.byKey) {
      entries.push(entry);
      if (entries.length === count) break;
    }
    return {
      items: entries.map(([, item]) => item),
      written: () => {
        for (const entry of entries) this.removeUnlessReplaced(entry);
      },
      moveBack: () => {
        for (const entry of entries) if (this.removeUnlessReplaced(entry)) this.byKey.set(...entry);
      },
    };
  }

  clear(): void {
    this.byKey.clear();
  }

  private removeUnlessReplaced([key, item]: readonly [string, Item]): boolean {
    return this.byKey.get(key) === item && this.byKey.delete(key);
  }
}

/**
 * Items that replace no other, whatever their keys are. A list, because a map that thousands of items pass through each second leaks them
 * into the old generation (docs/internals/performance.md, “Garbage collection”).
 */
export class AppendedItems<Item> implements PendingItems<Item> {
  private items: Item[] = [];

  get size(): number {
    return this.items.length;
  }

  put(_key: string, item: Item): void {
    this.items.push(item);
  }

  first(count: number): Batch<Item> {
    const items = this.items.slice(0, count);
    const remove = (): void => {
      this.items = this.items.slice(items.length);
    };
    return {
      items,
      written: remove,
      moveBack: () => {
        remove();
        this.items.push(...items);
      },
    };
  }

  clear(): void {
    this.items = [];
  }
}
