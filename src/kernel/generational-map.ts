interface Cell<Value> {
  value: Value | undefined;
}

/**
 * A map for short-lived entries. A plain Map allocates a new table whenever deleted entries have filled the old one, and links the old
 * table to the new. An old table that was promoted keeps all later ones alive until the next full collection, with everything that
 * they referenced: in a relay, every request of the last minute. Here the table refers to cells, which are cleared when their entry is
 * deleted. Keys should be numbers, strings, or objects without references.
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

  /** Removes and returns the value. */
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

  /** In insertion order, without values that are removed meanwhile. */
  *values(): Generator<Value, void, undefined> {
    for (const { value } of this.cells.values()) if (value !== undefined) yield value;
  }
}
