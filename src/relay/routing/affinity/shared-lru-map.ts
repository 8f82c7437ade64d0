import { LruMap } from '../../../kernel/lru-map.js';

/**
 * Entries of many owners with one limit. Beyond it an owner with more than an equal share loses its least recently used entry, so that one
 * owner with many entries cannot evict those of the others.
 */
export class SharedLruMap<Owner, Key, Value> {
  private readonly owners = new Map<Owner, LruMap<Key, Value>>();
  private entries = 0;

  constructor(private readonly maxEntries: number) {}

  get size(): number {
    return this.entries;
  }

  get(owner: Owner, key: Key): Value | undefined {
    return this.owners.get(owner)?.get(key);
  }

  set(owner: Owner, key: Key, value: Value): void {
    let own = this.owners.get(owner);
    if (own === undefined) this.owners.set(owner, (own = new LruMap(this.maxEntries)));
    const before = own.size;
    own.set(key, value);
    this.entries += own.size - before;
    if (this.entries > this.maxEntries) this.evict(own);
  }

  private evict(own: LruMap<Key, Value>): void {
    const share = this.maxEntries / this.owners.size;
    if (own.size > share) {
      this.removeOldest(own);
      return;
    }
    // One has more than its share, because all together have more than the limit.
    for (const [owner, entries] of this.owners) {
      if (entries.size <= share) continue;
      this.removeOldest(entries);
      if (entries.size === 0) this.owners.delete(owner);
      return;
    }
  }

  private removeOldest(entries: LruMap<Key, Value>): void {
    if (entries.removeOldest()) this.entries -= 1;
  }
}
