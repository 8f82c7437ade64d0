import type { AccountId, NodeId } from '../../kernel/ids.js';

export type SaveNodeModels = (accountId: AccountId, nodeIds: readonly NodeId[]) => Promise<void>;

/** A node that starts reports several times at once; one write is enough. */
const DELAY_MS = 500;
const RETRY_MS = 5_000;
/** Nodes of one account in one transaction: after a restart of the relay all of them report at once. */
const BATCH_NODES = 200;

/**
 * Brings changes of what nodes have into the database, beside the link path. While the database is away they wait here, one entry per
 * node; only a crash in that time loses them, and the node's next report makes up for it.
 */
export class KnownModelsWriter {
  readonly #waiting = new Map<NodeId, AccountId>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(
    private readonly save: SaveNodeModels,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  mark(accountId: AccountId, nodeId: NodeId): void {
    this.#waiting.set(nodeId, accountId);
    this.#schedule(DELAY_MS);
  }

  get idle(): boolean {
    return this.#waiting.size === 0 && this.#running === undefined;
  }

  /** Writes what waits, once. Never rejects. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running;
    this.#running = this.#writeAll();
    await this.#running;
    this.#running = undefined;
  }

  #schedule(delayMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, delayMs).unref();
  }

  async #writeAll(): Promise<void> {
    for (const [accountId, nodeIds] of this.#takeBatches()) {
      try {
        await this.save(accountId, nodeIds);
      } catch (error) {
        this.onFailure(error);
        for (const nodeId of nodeIds) this.#waiting.set(nodeId, accountId);
        this.#schedule(RETRY_MS);
      }
    }
  }

  #takeBatches(): readonly (readonly [AccountId, readonly NodeId[]])[] {
    const byAccount = new Map<AccountId, NodeId[]>();
    for (const [nodeId, accountId] of this.#waiting) {
      const nodes = byAccount.get(accountId);
      if (nodes === undefined) byAccount.set(accountId, [nodeId]);
      else nodes.push(nodeId);
    }
    this.#waiting.clear();
    return [...byAccount].flatMap(([accountId, nodes]) =>
      Array.from(
        { length: Math.ceil(nodes.length / BATCH_NODES) },
        (_unused, index) => [accountId, nodes.slice(index * BATCH_NODES, (index + 1) * BATCH_NODES)] as const,
      ),
    );
  }
}
