import type { AccountId, OperationId } from '../../kernel/ids.js';
import { LruMap } from '../../kernel/lru-map.js';
import type { LiveOperations } from './live-operations.js';
import { isLive, type Operation, type OperationFailure } from './operation.js';
import type { OperationsStore } from './operations.store.js';

/** Limit of accounts whose operations were read. One that is evicted is read again. */
const REMEMBERED_ACCOUNTS = 10_000;
/** The nodes of an account come back together: they share one read. */
const FRESH_MS = 1_000;
/** A change that is committed this long after it was made is still found. */
const OVERLAP_MS = 30_000;
const CHANGES_PER_READ = 1_000;
/** Of one report on newer and newer rows; then it waits for the next write. */
const SAVE_ATTEMPTS = 5;

export interface StoredOperationsOptions {
  readonly store: OperationsStore;
  readonly live: LiveOperations;
  /** Whether other relays may use the database. */
  readonly shared: boolean;
  readonly nodeRemoved: OperationFailure;
  readonly monotonicMs: () => number;
}

/** Keeps {@link LiveOperations} and the rows of the database together. */
export class StoredOperations {
  private readonly reads = new LruMap<AccountId, { readonly atMs: number; readonly over: Promise<void> }>(
    REMEMBERED_ACCOUNTS,
  );
  private since: string | null = null;
  /** Versions that were applied within the overlap, during which they are read again. */
  private applied = new Map<OperationId, number>();

  constructor(private readonly options: StoredOperationsOptions) {}

  /**
   * The unfinished operations of the account are in memory when it resolves. Without other relays they are read once, with other relays
   * before a node is admitted: reports and commands must find them.
   */
  load(accountId: AccountId): Promise<void> {
    const { shared, monotonicMs } = this.options;
    const known = this.reads.get(accountId);
    if (known !== undefined && (!shared || monotonicMs() - known.atMs < FRESH_MS)) return known.over;
    const over = this.read(accountId, known === undefined);
    // Callers that wait get the rejection; the next call tries again.
    over.catch(() => this.reads.delete(accountId));
    this.reads.set(accountId, { atMs: monotonicMs(), over });
    return over;
  }

  /** Works like `load`, with a result that is not older than this call. */
  async refresh(accountId: AccountId): Promise<void> {
    if (this.options.shared && this.reads.get(accountId) !== undefined) await this.read(accountId, false);
    else await this.load(accountId);
  }

  /** Fails the unfinished operations of removed nodes, also those that are not in memory. */
  async failOfRemovedNodes(accountId: AccountId): Promise<void> {
    await this.read(accountId, true);
  }

  /** The newest state: of the row, with reports that were not stored yet. */
  async find(accountId: AccountId, id: OperationId): Promise<Operation | undefined> {
    await this.load(accountId);
    const stored = await this.options.store.find(accountId, id);
    return stored && this.newest(accountId, stored);
  }

  newest(accountId: AccountId, stored: Operation): Operation {
    const { live } = this.options;
    if (isLive(stored) || live.find(accountId, stored.id) !== undefined) live.adopt(accountId, stored);
    return live.find(accountId, stored.id) ?? stored;
  }

  /** Stores the reports on an operation, on the newest row. The row may have got an outcome meanwhile, which stands. */
  async save(accountId: AccountId, id: OperationId): Promise<void> {
    const { live, store } = this.options;
    for (let attempt = 0; attempt < SAVE_ATTEMPTS; attempt += 1) {
      const reported = live.find(accountId, id);
      if (reported === undefined) return;
      const reports = live.reportsOn(id);
      const saved = await store.save(accountId, reported);
      if (saved !== undefined) {
        live.saved(saved, reports);
        return;
      }
      const stored = await store.find(accountId, id);
      if (stored === undefined) live.drop(id);
      else live.adopt(accountId, stored);
    }
    throw new Error(`operation ${id} changes too often`);
  }

  /** Reads what other relays have changed. */
  async readChanges(watchedAccounts: readonly AccountId[]): Promise<void> {
    const { store, live } = this.options;
    const { changed, next } = await store.changes({
      since: this.since,
      overlapMs: OVERLAP_MS,
      watchedAccounts,
      limit: CHANGES_PER_READ,
    });
    const unknown = changed.filter(
      ({ accountId, id, version }) =>
        this.applied.get(id) !== version && !live.isFinished(id) && (live.find(accountId, id)?.version ?? 0) < version,
    );
    const rows = await store.findChanged(unknown);
    for (const { accountId, operation } of rows) live.adopt(accountId, operation);
    this.applied = new Map(changed.map(({ id, version }) => [id, version]));
    this.since = next;
  }

  private async read(accountId: AccountId, failRemoved: boolean): Promise<void> {
    const { store, live, nodeRemoved } = this.options;
    if (failRemoved) await store.failOfRevokedNodes(accountId, nodeRemoved);
    const before = live.ofAccount(accountId);
    const rows = await store.live(accountId);
    for (const operation of rows) live.adopt(accountId, operation);
    const ids = new Set(rows.map(({ id }) => id));
    for (const { id } of before) {
      if (ids.has(id)) continue;
      // It is over at another relay, or its node was deleted.
      const stored = await store.find(accountId, id);
      if (stored === undefined) live.drop(id);
      else if (!isLive(stored)) live.adopt(accountId, stored);
    }
  }
}
