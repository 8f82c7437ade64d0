interface Entry<Key, Value> {
  readonly key: Key;
  value: Value;
  older: Entry<Key, Value> | null;
  younger: Entry<Key, Value> | null;
}

/**
 * A map that never holds more than `maxEntries`: the entry that was touched longest ago makes room for a new one. The order is a list of
 * its own. A Map's order could be used by deleting and setting again, but every touch would then cost garbage, and finding the oldest a
 * walk over the holes that were left by those before it.
 */
export class LruMap<Key, Value> {
  private readonly entries = new Map<Key, Entry<Key, Value>>();
  private oldest: Entry<Key, Value> | null = null;
  private youngest: Entry<Key, Value> | null = null;

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
    const entry: Entry<Key, Value> = { key, value, older: null, younger: null };
    this.entries.set(key, entry);
    this.append(entry);
    if (this.entries.size > this.maxEntries && this.oldest !== null) this.remove(this.oldest);
  }

  delete(key: Key): void {
    const entry = this.entries.get(key);
    if (entry !== undefined) this.remove(entry);
  }

  /** Walks the whole map; for rare events, not for the hot path. */
  deleteWhere(matches: (value: Value) => boolean): void {
    for (const entry of this.entries.values()) if (matches(entry.value)) this.remove(entry);
  }

  private touch(entry: Entry<Key, Value>): void {
    if (entry === this.youngest) return;
    this.unlink(entry);
    this.append(entry);
  }

  private remove(entry: Entry<Key, Value>): void {
    this.entries.delete(entry.key);
    this.unlink(entry);
  }

  private append(entry: Entry<Key, Value>): void {
    entry.older = this.youngest;
    if (this.youngest === null) this.oldest = entry;
    else this.youngest.younger = entry;
    this.youngest = entry;
  }

  private unlink(entry: Entry<Key, Value>): void {
    const { older, younger } = entry;
    if (older === null) this.oldest = younger;
    else older.younger = younger;
    if (younger === null) this.youngest = older;
    else younger.older = older;
    entry.older = null;
    entry.younger = null;
  }
}
