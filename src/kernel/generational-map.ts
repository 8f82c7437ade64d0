interface Cell<Value> {
  value: Value | undefined;
}

/**
 * A map for entries that come and go all the time. A plain Map writes a new table whenever holes have filled the old one, and links the old
 * to the new. An old table that was promoted once keeps all later ones alive until the next full collection, and with them whatever
 * they held: every request of the last minute, in the case of a relay. Here a table holds cells, which are emptied when their entry
 * goes. Keys should be numbers, strings, or objects that hold nothing.
 */
export class GenerationalMap<Key, Value> {
  private readonly cells = new Map<Key, Cell<Value>>();

  get size(): number {
    return this.cells.size;
  }

  has(key: Key): boolean {
    return this.cells.has(key);
  }

  get(key: Key): Value | undefined {
    return this.cells.get(key)?.value;
  }

  set(key: Key, value: Value): void {
    const cell = this.cells.get(key);
    if (cell === undefined) this.cells.set(key, { value });
    else cell.value = value;
  }

  /** What was there. */
  take(key: Key): Value | undefined {
    const cell = this.cells.get(key);
    if (cell === undefined) return undefined;
    const { value } = cell;
    this.cells.delete(key);
    cell.value = undefined;
    return value;
  }

  keys(): Iterable<Key> {
    return this.cells.keys();
  }

  /** In the order in which they came; what is taken out meanwhile is left out. */
  *values(): Generator<Value, void, undefined> {
    for (const { value } of this.cells.values()) if (value !== undefined) yield value;
  }
}
