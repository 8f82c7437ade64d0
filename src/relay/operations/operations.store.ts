import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, MoreThanOrEqual, Not, type EntityManager, type Repository } from 'typeorm';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import type { AccountId, NodeId, OperationId } from '../../kernel/ids.js';
import type { AuditActor } from '../accounts/audit/audit-event.js';
import { AuditTrail } from '../accounts/audit/audit-trail.store.js';
import { lockAccount } from '../accounts/accounts.store.js';
import { OperationEntity } from './operation.entity.js';
import { liveStates, subjectOf, type Operation, type OperationFailure, type OperationState } from './operation.js';

export interface OperationLimits {
  /** Unfinished operations. */
  readonly perNode: number;
  readonly perAccount: number;
  /** Limit of finished operations, and of failures that need attention: the oldest of each are deleted. */
  readonly kept: number;
  readonly failuresKeptDays: number;
}

export interface OperationFilter {
  /** Empty: any. */
  readonly states: readonly OperationState[];
  /** null here and below: any. */
  readonly nodeId: NodeId | null;
  readonly since: Date | null;
  readonly dismissed: boolean | null;
  readonly limit: number;
  /** The last of the previous page, which may have been deleted. */
  readonly after: OperationPosition | null;
}

export interface OperationChangeQuery {
  /** `next` of the call before; null at first. */
  readonly since: string | null;
  /** Changes are read again for this long, because one may be committed later than another that was made after it. */
  readonly overlapMs: number;
  readonly watchedAccounts: readonly AccountId[];
  readonly limit: number;
}

export interface ChangedOperation {
  readonly accountId: AccountId;
  readonly id: OperationId;
  readonly version: number;
}

export interface StoredOperation {
  readonly accountId: AccountId;
  readonly operation: Operation;
}

export interface OperationChanges {
  readonly changed: readonly ChangedOperation[];
  /** The next poll starts here, by the clock of the database. */
  readonly next: string;
}

interface ChangeRow {
  readonly horizon: string;
  readonly account_id: AccountId;
  /** null in the only row, when nothing changed. */
  readonly id: OperationId | null;
  readonly version: number;
  readonly changed_at: string | null;
}

/** Not `now()`, the time at which the transaction began: it may have waited for a lock since. */
const NOW = (): string => 'clock_timestamp()';

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
      await manager.insert(OperationEntity, { ...toRow(accountId, operation), changedAt: NOW });
      await dismissEarlier(manager, accountId, operation);
      await forgetOldest(manager, accountId, limits);
      await this.record(manager, accountId, operation, 'operation.create', actor);
    });
  }

  /**
   * Stores the request to cancel; the node reports its effect. Only the first one changes something.
   * @returns the operation as it is then, finished or not; undefined when the account has no such operation
   */
  async requestCancel(accountId: AccountId, id: OperationId, actor: AuditActor): Promise<Operation | undefined> {
    return this.operations.manager.transaction(async (manager) => {
      const { affected } = await manager.update(
        OperationEntity,
        { accountId, id, state: In(liveStates), cancelRequested: false },
        { cancelRequested: true, version: () => 'version + 1', updatedAt: NOW, changedAt: NOW },
      );
      const row = await manager.findOneBy(OperationEntity, { accountId, id });
      if (row === null) return undefined;
      const operation = toOperation(row);
      if (affected === 1) await this.record(manager, accountId, operation, 'operation.cancel', actor);
      return operation;
    });
  }

  /** Only a failed one changes, and once. @returns the operation as it is then; undefined when the account has none such */
  async dismiss(accountId: AccountId, id: OperationId, actor: AuditActor): Promise<Operation | undefined> {
    return this.operations.manager.transaction(async (manager) => {
      const { affected } = await manager.update(
        OperationEntity,
        { accountId, id, state: 'failed', dismissedAt: IsNull() },
        { dismissedAt: NOW, version: () => 'version + 1', updatedAt: NOW, changedAt: NOW },
      );
      const row = await manager.findOneBy(OperationEntity, { accountId, id });
      if (row === null) return undefined;
      const operation = toOperation(row);
      if (affected === 1) await this.record(manager, accountId, operation, 'operation.dismiss', actor);
      return operation;
    });
  }

  async find(accountId: AccountId, id: OperationId): Promise<Operation | undefined> {
    const row = await this.operations.findOneBy({ accountId, id });
    return row === null ? undefined : toOperation(row);
  }

  /** Newest first. */
  async list(accountId: AccountId, filter: OperationFilter): Promise<readonly Operation[]> {
    const { states, nodeId, since, dismissed, limit, after } = filter;
    const query = this.operations.createQueryBuilder('operation').where({ accountId });
    if (states.length > 0) query.andWhere({ state: In(states) });
    if (nodeId !== null) query.andWhere({ nodeId });
    if (since !== null) query.andWhere({ createdAt: MoreThanOrEqual(since) });
    if (dismissed !== null) query.andWhere({ dismissedAt: dismissed ? Not(IsNull()) : IsNull() });
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

  /**
   * Stores what the node has reported, unless something else was stored since this version, or the operation is over: the first outcome
   * counts. @returns the stored operation; undefined when nothing was stored
   */
  async save(accountId: AccountId, operation: Operation): Promise<Operation | undefined> {
    const { id, state, phase, modelKey, completedBytes, totalBytes, failure, cancelRequested, version } = operation;
    const { affected } = await this.operations.update(
      { accountId, id, version, state: In(liveStates) },
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
        version: version + 1,
        changedAt: NOW,
      },
    );
    return affected === 1 ? { ...operation, version: version + 1 } : undefined;
  }

  /**
   * Operations of all accounts that changed, oldest change first: new ones, those to be cancelled and those that are over. Progress only
   * of `watchedAccounts`, since it concerns nobody else.
   */
  async changes({ since, overlapMs, watchedAccounts, limit }: OperationChangeQuery): Promise<OperationChanges> {
    const rows = await this.operations.query<[ChangeRow, ...ChangeRow[]]>(
      `SELECT read.horizon::text AS horizon, account_id, id, version, changed_at::text AS changed_at
       FROM (SELECT now() - $2 * interval '1 millisecond' AS horizon) AS read
       LEFT JOIN operation ON changed_at >= COALESCE($1::timestamptz, read.horizon)
         AND (state <> 'running' OR cancel_requested OR account_id = ANY($3))
       ORDER BY changed_at, id LIMIT $4`,
      [since, overlapMs, watchedAccounts, limit],
    );
    const changed = rows.flatMap(({ account_id: accountId, id, version }) =>
      id === null ? [] : [{ accountId, id, version }],
    );
    // A full page: the next one begins with its last change.
    const next = changed.length < limit ? rows[0].horizon : (rows.at(-1)?.changed_at ?? rows[0].horizon);
    return { changed, next };
  }

  async findChanged(changed: readonly ChangedOperation[]): Promise<readonly StoredOperation[]> {
    if (changed.length === 0) return [];
    const rows = await this.operations.findBy(changed.map(({ accountId, id }) => ({ accountId, id })));
    return rows.map((row) => ({ accountId: row.accountId, operation: toOperation(row) }));
  }

  /** Fails operations of revoked nodes. */
  async failOfRevokedNodes(accountId: AccountId, { code, message }: OperationFailure): Promise<void> {
    await this.operations.query(
      `UPDATE operation SET state = 'failed', failure_code = $2, failure_message = $3, finished_at = now(), updated_at = now(),
              version = version + 1, changed_at = clock_timestamp()
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
      `${capitalized(rival.kind)} of the same model is already in progress on this node: ${rival.id}.`,
    );
  }
  if (ofNode.length >= limits.perNode) {
    throw new FerryError('too_many_operations', `This node has ${ofNode.length} unfinished operations already.`);
  }
  if (live.length >= limits.perAccount) {
    throw new FerryError('too_many_operations', `This account has ${live.length} unfinished operations already.`);
  }
}

/** What failed is tried again, or something else is done with the model: the failure needs no attention any more. */
async function dismissEarlier(manager: EntityManager, accountId: AccountId, operation: Operation): Promise<void> {
  await manager.update(
    OperationEntity,
    { accountId, nodeId: operation.nodeId, subject: subjectOf(operation), state: 'failed', dismissedAt: IsNull() },
    { dismissedAt: NOW, version: () => 'version + 1', updatedAt: NOW, changedAt: NOW },
  );
}

/** Many successes must not push out a failure that somebody has not seen yet. */
const NEEDS_ATTENTION = `state = 'failed' AND dismissed_at IS NULL AND finished_at > now() - $3 * interval '1 day'`;

async function forgetOldest(
  manager: EntityManager,
  accountId: AccountId,
  { kept, failuresKeptDays }: OperationLimits,
): Promise<void> {
  await manager.query(
    `DELETE FROM operation WHERE account_id = $1 AND id IN (
       (SELECT id FROM operation
        WHERE account_id = $1 AND state NOT IN ('queued', 'running') AND NOT (${NEEDS_ATTENTION})
        ORDER BY created_at DESC, id DESC OFFSET $2)
       UNION ALL
       (SELECT id FROM operation WHERE account_id = $1 AND ${NEEDS_ATTENTION}
        ORDER BY created_at DESC, id DESC OFFSET $2))`,
    [accountId, kept, failuresKeptDays],
  );
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function toRow(accountId: AccountId, { failure, ...operation }: Operation): Omit<OperationEntity, 'changedAt'> {
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
  dismissedAt: row.dismissedAt,
  version: row.version,
});
