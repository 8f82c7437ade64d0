import type { AccountId, NodeId } from '../../kernel/ids.js';
import { WriteBehind } from '../platform/database/write-behind.js';

export type SaveNodeModels = (accountId: AccountId, nodeIds: readonly NodeId[]) => Promise<void>;

interface ChangedNode {
  readonly accountId: AccountId;
  readonly nodeId: NodeId;
}

/** A node that starts reports several times at once; one write is enough. */
const DELAY_MS = 500;
const RETRY_MS = 5_000;
/** Nodes of one account in one transaction: after a restart of the relay all of them report at once. */
const BATCH_NODES = 200;

/**
 * Writes which models nodes have, beside the link path. While the database is away the changed nodes wait here; a crash in that time
 * loses nothing for long, because nodes report again.
 */
export class KnownModelsWriter {
  private readonly writes: WriteBehind<ChangedNode>;

  constructor(
    private readonly save: SaveNodeModels,
    onFailure: (error: unknown) => void,
  ) {
    this.writes = new WriteBehind({
      write: (nodes) => this.saveByAccount(nodes),
      batchItems: BATCH_NODES,
      retryMs: RETRY_MS,
      retryPosition: 'last',
      onFailure,
    });
  }

  mark(accountId: AccountId, nodeId: NodeId): void {
    this.writes.put(nodeId, { accountId, nodeId }, DELAY_MS);
  }

  get idle(): boolean {
    return this.writes.idle;
  }

  /** Never rejects. */
  flush(): Promise<void> {
    return this.writes.flush();
  }

  private async saveByAccount(nodes: readonly ChangedNode[]): Promise<void> {
    const byAccount = new Map<AccountId, NodeId[]>();
    for (const { accountId, nodeId } of nodes) {
      const known = byAccount.get(accountId);
      if (known === undefined) byAccount.set(accountId, [nodeId]);
      else known.push(nodeId);
    }
    for (const [accountId, nodeIds] of byAccount) await this.save(accountId, nodeIds);
  }
}
