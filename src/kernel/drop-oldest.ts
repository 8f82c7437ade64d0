/** Deletes the entry that was added first, if the map has more than `limit`. To be called with each insertion, so that one is enough. */
export function dropOldest<Key>(map: Map<Key, unknown>, limit: number): void {
  if (map.size <= limit) return;
  for (const key of map.keys()) {
    map.delete(key);
    return;
  }
}
