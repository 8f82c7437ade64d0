import { Logger } from '@nestjs/common';
import type { AccountId, NodeId, OperationId } from '../../kernel/ids.js';
import type { ProgressMessage, ResultMessage } from '../../link/messages.js';
import { WriteBehind } from '../platform/database/write-behind.js';
import type { LiveOperations } from './live-operations.js';
import type { StoredOperations } from './stored-operations.js';

interface UnknownReport {
  readonly accountId: AccountId;
  readonly id: OperationId;
  apply(): void;
}

const RETRY_MS = 2_000;
/** A node may name any id. A result that is not kept is repeated with the node's next link. */
const WAITING_REPORTS = 1_000;

/**
 * Reports on operations that are not in memory: another relay created them since the last read, and its link with the node is gone. Each is
 * applied once the operation was read; reports on one that does not exist have no effect.
 */
export class UnknownReports {
  private readonly logger = new Logger('Operations');
  private readonly waiting: WriteBehind<UnknownReport>;

  constructor(
    stored: StoredOperations,
    private readonly live: LiveOperations,
  ) {
    this.waiting = new WriteBehind({
      write: async ([report]) => {
        if (report === undefined) return;
        await stored.find(report.accountId, report.id);
        report.apply();
      },
      batchItems: 1,
      retryMs: RETRY_MS,
      retryPosition: 'last',
      onFailure: (error) => {
        this.logger.warn('report of an operation not applied yet', { error: String(error) });
      },
    });
  }

  progress(accountId: AccountId, nodeId: NodeId, message: ProgressMessage): void {
    this.put('progress', accountId, message.operation_id, () => {
      this.live.progress(accountId, nodeId, message);
    });
  }

  result(accountId: AccountId, nodeId: NodeId, message: ResultMessage): void {
    this.put('result', accountId, message.operation_id, () => {
      this.live.result(accountId, nodeId, message);
    });
  }

  /** Never rejects. */
  flush(): Promise<void> {
    return this.waiting.flush();
  }

  private put(kind: string, accountId: AccountId, id: string, apply: () => void): void {
    if (this.waiting.size >= WAITING_REPORTS) return;
    this.waiting.put(`${accountId} ${id} ${kind}`, { accountId, id: id as OperationId, apply }, 0);
  }
}
