import { parseExact, stringifyExact } from '../../../kernel/exact-json.js';
import type { Clock } from '../../../kernel/clock.js';

interface ConversationStoreOptions {
  /** Bounds all conversations together. */
  readonly maxBytes: number;
  /** Since the response was complete. A continued conversation is a new entry, with a new age. */
  readonly maxAgeMs: number;
  readonly clock: Clock;
}

interface Entry {
  readonly scope: string;
  /** As JSON: its size is known, and readers cannot change it. */
  readonly conversation: Buffer;
  readonly itemIds: ReadonlySet<string>;
  readonly bytes: number;
  readonly expiresAtMs: number;
}

/** Estimates the cost of an entry besides its conversation: keys, sets and objects. */
const ENTRY_OVERHEAD_BYTES = 512;
const BYTES_PER_CHARACTER = 2;
const NO_IDS: ReadonlySet<string> = new Set();

/**
 * The conversations that later requests can continue (docs/reference/engines.md#stored-conversations): in this process only, bounded by bytes
 * and age, least recently used first. Each entry is the whole conversation up to its response, so that none depends on another. A scope never
 * sees what belongs to another one.
 */
export class ConversationStore {
  /** Least recently used first. */
  private readonly entries = new Map<string, Entry>();
  private usedBytes = 0;

  constructor(private readonly options: ConversationStoreOptions) {}

  get bytes(): number {
    return this.usedBytes;
  }

  get size(): number {
    return this.entries.size;
  }

  /** Whether so much can be kept at all, if everything else is evicted. */
  fits(bytes: number): boolean {
    return bytes + ENTRY_OVERHEAD_BYTES <= this.options.maxBytes;
  }

  /**
   * Replaces what is kept under the id. Not kept where it does not fit.
   * @param conversation any JSON
   * @param itemIds see `findByItem`
   */
  keep(scope: string, responseId: string, conversation: unknown, itemIds: ReadonlySet<string> = NO_IDS): void {
    const key = keyOf(scope, responseId);
    this.drop(key);
    this.forgetExpired();
    const entry = this.entryOf(scope, conversation, itemIds);
    if (entry.bytes > this.options.maxBytes) return;
    this.entries.set(key, entry);
    this.usedBytes += entry.bytes;
    for (const oldest of this.entries.keys()) {
      if (this.usedBytes <= this.options.maxBytes) return;
      this.drop(oldest);
    }
  }

  /** As it was kept; undefined when it is not (or no longer) here. */
  find(scope: string, responseId: string): unknown {
    const key = keyOf(scope, responseId);
    const entry = this.entries.get(key);
    return entry === undefined ? undefined : this.read(key, entry);
  }

  /** A conversation of the scope that was kept with this item. */
  findByItem(scope: string, itemId: string): unknown {
    for (const [key, entry] of this.entries) {
      if (entry.scope !== scope || !entry.itemIds.has(itemId)) continue;
      const conversation = this.read(key, entry);
      if (conversation !== undefined) return conversation;
    }
    return undefined;
  }

  /** Call periodically, so that expired conversations are freed without being read. */
  forgetExpired(): void {
    const nowMs = this.options.clock.monotonicMs();
    for (const [key, { expiresAtMs }] of this.entries) if (expiresAtMs <= nowMs) this.drop(key);
  }

  private read(key: string, entry: Entry): unknown {
    this.drop(key);
    if (entry.expiresAtMs <= this.options.clock.monotonicMs()) return undefined;
    // A Map iterates in insertion order: to insert again is to become the youngest.
    this.entries.set(key, entry);
    this.usedBytes += entry.bytes;
    return parseExact(entry.conversation.toString('utf8'));
  }

  private drop(key: string): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    this.usedBytes -= entry.bytes;
  }

  private entryOf(scope: string, conversation: unknown, itemIds: ReadonlySet<string>): Entry {
    const text = stringifyExact(conversation);
    // Memory of its own: a slice of a shared pool would keep the whole pool.
    const json = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
    json.write(text);
    let characters = 0;
    for (const id of itemIds) characters += id.length;
    return {
      scope,
      conversation: json,
      itemIds,
      bytes: json.length + characters * BYTES_PER_CHARACTER + ENTRY_OVERHEAD_BYTES,
      expiresAtMs: this.options.clock.monotonicMs() + this.options.maxAgeMs,
    };
  }
}

/** Unambiguous whatever the two texts contain. */
export const keyOf = (scope: string, responseId: string): string => JSON.stringify([scope, responseId]);
