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
  /** Absent until the first entry: an empty Map takes 180 bytes, and most of these maps, one for each idle link, stay empty. */
  private cells: Map<Key, Cell<Value>> | undefined;

  get size(): number {
    return this.cells?.size ?? 0;
  }

  has(key: Key): boolean {
    return this.cells?.has(key) === true;
  }

  get(key: Key): Value | undefined {
    return this.cells?.get(key)?.value;
  }

  set(key: Key, value: Value): void {
    this.cells ??= new Map();
    const cell = this.cells.get(key);
    if (cell === undefined) this.cells.set(key, { value });
    else cell.value = value;
  }

  /** Removes and returns the value. */
  take(key: Key): Value | undefined {
    const cell = this.cells?.get(key);
    if (cell === undefined) return undefined;
    const { value } = cell;
    this.cells?.delete(key);
    cell.value = undefined;
    return value;
  }

  keys(): Iterable<Key> {
    return this.cells?.keys() ?? [];
  }

  /** In insertion order, without values that are removed meanwhile. */
  *values(): Generator<Value, void, undefined> {
    if (this.cells === undefined) return;
    for (const { value } of this.cells.values()) if (value !== undefined) yield value;
  }
}
