import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type EntityManager, type Repository } from 'typeorm';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import type { AccountId, NodeId, OperationId } from '../../kernel/ids.js';
import type { AuditActor } from '../audit/audit-event.js';
import { AuditTrail } from '../audit/audit-trail.store.js';
import { lockAccount } from '../accounts/accounts.store.js';
import { OperationEntity } from './operation.entity.js';
import { liveStates, subjectOf, type Operation, type OperationFailure, type OperationState } from './operation.js';

export interface OperationLimits {
  /** Unfinished operations. */
  readonly perNode: number;
  readonly perAccount: number;
  /** Limit of finished operations; the oldest are deleted. */
  readonly kept: number;
}

export interface OperationFilter {
  /** Empty: any. */
  readonly states: readonly OperationState[];
  readonly nodeId: NodeId | null;
  readonly limit: number;
  /** The last of the previous page, which may have been deleted. */
  readonly after: OperationPosition | null;
}

/** A position in the list, ordered from newest to oldest. Times have millisecond precision. */
export interface OperationPosition {
  readonly createdAt: Date;
  readonly id: string;
}

@Injectable()
export class OperationsStore {
  constructor(
    @InjectRepository(OperationEntity) private readonly operations: Repository<OperationEntity>,
    private readonly trail: AuditTrail,
  ) {}

  /**
   * Checks and inserts atomically: of two concurrent requests for one model, one fails.
   * @throws FerryError `not_found` (no such node, or revoked), `operation_conflict`, `too_many_operations`
   */
  async insert(accountId: AccountId, operation: Operation, limits: OperationLimits, actor: AuditActor): Promise<void> {
    await this.operations.manager.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      await requireActiveNode(manager, accountId, operation.nodeId);
      const live = await manager.find(OperationEntity, { where: { accountId, state: In(liveStates) } });
      requireRoom(live, operation, limits);
      await manager.insert(OperationEntity, toRow(accountId, operation));
      await forgetOldest(manager, accountId, limits.kept);
      await this.record(manager, accountId, operation, 'operation.create', actor);
    });
  }

  /** Records the request to cancel; the node reports its effect. */
  async recordCancel(accountId: AccountId, operation: Operation, actor: AuditActor): Promise<void> {
    await this.record(this.operations.manager, accountId, operation, 'operation.cancel', actor);
  }

  async find(accountId: AccountId, id: OperationId): Promise<Operation | undefined> {
    const row = await this.operations.findOneBy({ accountId, id });
    return row === null ? undefined : toOperation(row);
  }

  /** Newest first. */
  async list(accountId: AccountId, { states, nodeId, limit, after }: OperationFilter): Promise<readonly Operation[]> {
    const query = this.operations.createQueryBuilder('operation').where({ accountId });
    if (states.length > 0) query.andWhere({ state: In(states) });
    if (nodeId !== null) query.andWhere({ nodeId });
    if (after !== null) {
      query.andWhere('(operation.created_at, operation.id) < (:createdAt, :id)', {
        createdAt: after.createdAt,
        id: after.id,
      });
    }
    const rows = await query
      .orderBy('operation.createdAt', 'DESC')
      .addOrderBy('operation.id', 'DESC')
      .take(limit)
      .getMany();
    return rows.map(toOperation);
  }

  /** Unfinished operations, oldest first. */
  async live(accountId: AccountId): Promise<readonly Operation[]> {
    const rows = await this.operations.find({
      where: { accountId, state: In(liveStates) },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    return rows.map(toOperation);
  }

  /** Finished operations are not updated: the first outcome counts. */
  async save(accountId: AccountId, operation: Operation): Promise<void> {
    const { state, phase, modelKey, completedBytes, totalBytes, failure, cancelRequested } = operation;
    await this.operations.update(
      { accountId, id: operation.id, state: In(liveStates) },
      {
        state,
        phase,
        modelKey,
        completedBytes,
        totalBytes,
        failureCode: failure?.code ?? null,
        failureMessage: failure?.message ?? null,
        cancelRequested,
        updatedAt: operation.updatedAt,
        finishedAt: operation.finishedAt,
      },
    );
  }

  /** Fails operations of revoked nodes. */
  async failOfRevokedNodes(accountId: AccountId, { code, message }: OperationFailure): Promise<void> {
    await this.operations.query(
      `UPDATE operation SET state = 'failed', failure_code = $2, failure_message = $3, finished_at = now(), updated_at = now()
       FROM node
       WHERE operation.account_id = $1 AND operation.state IN ('queued', 'running')
         AND node.account_id = operation.account_id AND node.id = operation.node_id AND node.state = 'revoked'`,
      [accountId, code, message],
    );
  }

  private async record(
    manager: EntityManager,
    accountId: AccountId,
    { id, kind, nodeId, nodeName, engine, model, modelKey, source }: Operation,
    action: string,
    actor: AuditActor,
  ): Promise<void> {
    await this.trail.record(manager, {
      accountId,
      actor,
      action,
      object: { kind: 'operation', id },
      detail: { kind, node_id: nodeId, node: nodeName, engine, model: model ?? modelKey ?? source },
    });
  }
}

/** Locks the node, so that a concurrent revocation sees the new operation, or this call the revocation. */
async function requireActiveNode(manager: EntityManager, accountId: AccountId, nodeId: NodeId): Promise<void> {
  const rows = await manager.query<unknown[]>(
    `SELECT 1 FROM node WHERE account_id = $1 AND id = $2 AND state = 'active' FOR SHARE`,
    [accountId, nodeId],
  );
  if (rows.length === 0) throw new FerryError('not_found', 'There is no node with this id.', { param: 'node_id' });
}

function requireRoom(live: readonly OperationEntity[], operation: Operation, limits: OperationLimits): void {
  const ofNode = live.filter(({ nodeId }) => nodeId === operation.nodeId);
  const rival = ofNode.find(({ subject }) => subject === subjectOf(operation));
  if (rival !== undefined) {
    throw new FerryError(
      'operation_conflict',
      `${capitalized(rival.kind)} of the same model is already under way on this node: ${rival.id}.`,
    );
  }
  if (ofNode.length >= limits.perNode) {
    throw new FerryError('too_many_operations', `This node has ${ofNode.length} unfinished operations already.`);
  }
  if (live.length >= limits.perAccount) {
    throw new FerryError('too_many_operations', `This account has ${live.length} unfinished operations already.`);
  }
}

async function forgetOldest(manager: EntityManager, accountId: AccountId, kept: number): Promise<void> {
  await manager.query(
    `DELETE FROM operation WHERE account_id = $1 AND id IN (
       SELECT id FROM operation WHERE account_id = $1 AND state NOT IN ('queued', 'running')
       ORDER BY created_at DESC, id DESC OFFSET $2)`,
    [accountId, kept],
  );
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function toRow(accountId: AccountId, { failure, ...operation }: Operation): OperationEntity {
  return {
    accountId,
    ...operation,
    subject: subjectOf(operation),
    failureCode: failure?.code ?? null,
    failureMessage: failure?.message ?? null,
  };
}

const toOperation = (row: OperationEntity): Operation => ({
  id: row.id,
  nodeId: row.nodeId,
  nodeName: row.nodeName,
  kind: row.kind,
  engine: row.engine,
  modelKey: row.modelKey,
  model: row.model,
  source: row.source,
  loadAfter: row.loadAfter,
  contextTokens: row.contextTokens,
  state: row.state,
  phase: row.phase,
  completedBytes: row.completedBytes,
  totalBytes: row.totalBytes,
  failure: row.failureCode === null ? null : { code: row.failureCode, message: row.failureMessage ?? '' },
  cancelRequested: row.cancelRequested,
  createdBy: row.createdBy,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  finishedAt: row.finishedAt,
});
