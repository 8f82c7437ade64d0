/** A map that never holds more than `maxEntries`: the entry that was touched longest ago makes room for a new one. */
export class LruMap<Key, Value> {
  private readonly entries = new Map<Key, Value>();
  /** Asked for again, it need not move: one busy key is the usual case, and moving costs garbage. */
  private youngest: Key | undefined;

  constructor(private readonly maxEntries: number) {}

  get size(): number {
    return this.entries.size;
  }

  get(key: Key): Value | undefined {
    const value = this.entries.get(key);
    if (value !== undefined && key !== this.youngest) this.makeYoungest(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.makeYoungest(key, value);
    if (this.entries.size <= this.maxEntries) return;
    for (const oldest of this.entries.keys()) {
      this.entries.delete(oldest);
      return;
    }
  }

  delete(key: Key): void {
    this.entries.delete(key);
    if (key === this.youngest) this.youngest = undefined;
  }

  /** Walks the whole map; for rare events, not for the hot path. */
  deleteWhere(matches: (value: Value) => boolean): void {
    for (const [key, value] of this.entries) if (matches(value)) this.delete(key);
  }

  /** A Map iterates in insertion order: to insert again is to become the youngest. */
  private makeYoungest(key: Key, value: Value): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    this.youngest = key;
  }
}
