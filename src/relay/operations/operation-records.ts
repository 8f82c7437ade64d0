import { Injectable } from '@nestjs/common';
import type { AccountId } from '../../kernel/ids.js';
import { Catalogue } from '../inventory/catalogue.js';
import { ReachableNodes } from '../nodes/registry/reachable-nodes.js';
import type { OperationView } from './operation.js';
import { operationRecord, type OperationRecord } from './operation-record.js';

/** Records of operations for the API. The name of an installed model is looked up, because it is unknown when the operation begins. */
@Injectable()
export class OperationRecords {
  constructor(
    private readonly reachable: ReachableNodes,
    private readonly catalogue: Catalogue,
  ) {}

  of(accountId: AccountId, operation: OperationView): OperationRecord {
    return operationRecord(operation, operation.model === null ? this.nameOf(accountId, operation) : null);
  }

  private nameOf(accountId: AccountId, { nodeId, modelKey }: OperationView): string | null {
    if (modelKey === null) return null;
    const report = this.reachable.find(accountId, nodeId)?.models.get(modelKey);
    if (report === undefined) return null;
    const lookup = this.catalogue.find(accountId, report.selector);
    return lookup.kind === 'found' ? lookup.entry.id : report.display_name;
  }
}
