import { parseExact, stringifyExact } from '../../../kernel/exact-json.js';
import type { ResponseItem } from '../../../dialects/responses/items.js';
import type { Clock } from '../../../kernel/clock.js';

interface ResponseStoreOptions {
  /** Of all conversations together. */
  readonly maxBytes: number;
  /** Since the answer was complete. A continued conversation is a new entry, with a new age. */
  readonly maxAgeMs: number;
  readonly clock: Clock;
}

interface Entry {
  readonly scope: string;
  /** As JSON: its size is known, and readers cannot change it. */
  readonly items: Buffer;
  readonly itemIds: ReadonlySet<string>;
  readonly bytes: number;
  readonly expiresAtMs: number;
}

/** What an entry costs besides its items: keys, sets and objects, roughly. */
const ENTRY_OVERHEAD_BYTES = 512;
const BYTES_PER_CHARACTER = 2;

/**
 * The conversations that can be continued with `previous_response_id` (docs/reference/translation.md#continued-conversations): in this
 * process only, bounded by bytes and age, least recently used first. Each entry is the whole conversation up to its answer, so that none
 * depends on another. A scope never sees what belongs to another one.
 */
export class ResponseStore {
  /** Least recently used first. */
  private readonly entries = new Map<string, Entry>();
  private usedBytes = 0;

  constructor(private readonly options: ResponseStoreOptions) {}

  get bytes(): number {
    return this.usedBytes;
  }

  get size(): number {
    return this.entries.size;
  }

  /** @param items of the request that was answered, those that it continued included, and of the answer, oldest first */
  keep(scope: string, responseId: string, items: readonly ResponseItem[]): void {
    const key = keyOf(scope, responseId);
    this.drop(key);
    this.forgetExpired();
    const entry = this.entryOf(scope, items);
    if (entry.bytes > this.options.maxBytes) return;
    this.entries.set(key, entry);
    this.usedBytes += entry.bytes;
    for (const oldest of this.entries.keys()) {
      if (this.usedBytes <= this.options.maxBytes) return;
      this.drop(oldest);
    }
  }

  /** The conversation up to this answer, oldest item first; undefined when it is not (or no longer) here. */
  find(scope: string, responseId: string): readonly ResponseItem[] | undefined {
    const key = keyOf(scope, responseId);
    const entry = this.entries.get(key);
    return entry === undefined ? undefined : this.read(key, entry);
  }

  /** A conversation of the scope that has this item. Reading one is expensive: a caller that looks up several items should keep the result. */
  findByItem(scope: string, itemId: string): readonly ResponseItem[] | undefined {
    for (const [key, entry] of this.entries) {
      if (entry.scope !== scope || !entry.itemIds.has(itemId)) continue;
      const items = this.read(key, entry);
      if (items !== undefined) return items;
    }
    return undefined;
  }

  /** Call periodically, so that expired conversations are freed without being read. */
  forgetExpired(): void {
    const nowMs = this.options.clock.monotonicMs();
    for (const [key, { expiresAtMs }] of this.entries) if (expiresAtMs <= nowMs) this.drop(key);
  }

  private read(key: string, entry: Entry): readonly ResponseItem[] | undefined {
    this.drop(key);
    if (entry.expiresAtMs <= this.options.clock.monotonicMs()) return undefined;
    // A Map iterates in insertion order: to insert again is to become the youngest.
    this.entries.set(key, entry);
    this.usedBytes += entry.bytes;
    return parseExact(entry.items.toString('utf8')) as ResponseItem[];
  }

  private drop(key: string): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    this.usedBytes -= entry.bytes;
  }

  private entryOf(scope: string, items: readonly ResponseItem[]): Entry {
    const text = stringifyExact(items);
    // Memory of its own: a slice of a shared pool would keep the whole pool.
    const json = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
    json.write(text);
    const itemIds = new Set(items.flatMap(({ id }) => (typeof id === 'string' ? [id] : [])));
    let characters = 0;
    for (const id of itemIds) characters += id.length;
    return {
      scope,
      items: json,
      itemIds,
      bytes: json.length + characters * BYTES_PER_CHARACTER + ENTRY_OVERHEAD_BYTES,
      expiresAtMs: this.options.clock.monotonicMs() + this.options.maxAgeMs,
    };
  }
}

/** Unambiguous whatever the two texts contain. */
const keyOf = (scope: string, responseId: string): string => JSON.stringify([scope, responseId]);

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
