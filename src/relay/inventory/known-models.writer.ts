import type { AccountId, NodeId } from '../../kernel/ids.js';
import { WriteBehind } from '../platform/database/write-behind.js';

export type SaveNodeModels = (accountId: AccountId, nodeIds: readonly NodeId[]) => Promise<void>;

interface ChangedNode {
  readonly accountId: AccountId;
  readonly nodeId: NodeId;
}

/** Combines the several reports of a starting node into one write. */
const DELAY_MS = 500;
const RETRY_MS = 5_000;
/** Maximum nodes of one account per transaction; after a restart of the relay all of them report at once. */
const BATCH_NODES = 200;

/**
 * Writes the models of nodes asynchronously. During a database outage the changed nodes wait here; a crash then loses nothing permanently,
 * because nodes report again.
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
