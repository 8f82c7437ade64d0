import { IntrusiveListNode } from './intrusive-list.js';

class Entry<Key, Value> extends IntrusiveListNode {
  constructor(
    readonly key: Key,
    public value: Value,
  ) {
    super();
  }
}

/**
 * A map of at most `maxEntries` that evicts the least recently used entry. The order is a linked list: using the insertion order of the Map
 * (delete, then set) would allocate with every access, and finding the oldest entry would have to skip all deleted ones.
 */
export class LruMap<Key, Value> {
  private readonly entries = new Map<Key, Entry<Key, Value>>();
  /** The list runs from the oldest entry to the youngest. */
  private readonly order = new IntrusiveListNode();

  constructor(private readonly maxEntries: number) {}

  get size(): number {
    return this.entries.size;
  }

  get(key: Key): Value | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.touch(entry);
    return entry.value;
  }

  set(key: Key, value: Value): void {
    const known = this.entries.get(key);
    if (known !== undefined) {
      known.value = value;
      this.touch(known);
      return;
    }
    const entry = new Entry(key, value);
    this.entries.set(key, entry);
    this.order.append(entry);
    if (this.entries.size > this.maxEntries) this.removeOldest();
  }

  /** The least recently used entry. @returns false when there is none */
  removeOldest(): boolean {
    if (this.entries.size === 0) return false;
    this.remove(this.order.next as Entry<Key, Value>);
    return true;
  }

  delete(key: Key): void {
    const entry = this.entries.get(key);
    if (entry !== undefined) this.remove(entry);
  }

  /** Walks the whole map; for rare events, not for the hot path. */
  deleteWhere(matches: (value: Value) => boolean): void {
    for (const entry of this.entries.values()) if (matches(entry.value)) this.remove(entry);
  }

  /** Linear search that does not change the order; not for the hot path. */
  some(matches: (value: Value) => boolean): boolean {
    for (const { value } of this.entries.values()) if (matches(value)) return true;
    return false;
  }

  /** From the most recently used one, without a change of the order. Nothing may be read or set meanwhile. */
  *youngestFirst(): Iterable<Value> {
    for (let entry = this.order.previous; entry !== this.order; entry = entry.previous)
      yield (entry as Entry<Key, Value>).value;
  }

  private touch(entry: Entry<Key, Value>): void {
    if (entry === this.order.previous) return;
    entry.unlink();
    this.order.append(entry);
  }

  private remove(entry: Entry<Key, Value>): void {
    this.entries.delete(entry.key);
    entry.unlink();
  }
}
