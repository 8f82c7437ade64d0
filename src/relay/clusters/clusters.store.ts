import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, type EntityManager, type Repository } from 'typeorm';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import type { AccountId, ClusterId } from '../../kernel/ids.js';
import type { AuditActor } from '../accounts/audit/audit-event.js';
import { AuditTrail } from '../accounts/audit/audit-trail.store.js';
import { lockAccount } from '../accounts/accounts.store.js';
import { ClusterEntity } from './cluster.entity.js';

export interface Cluster {
  readonly id: ClusterId;
  readonly name: string;
  readonly createdAt: Date;
}

const OLDEST_FIRST = { createdAt: 'ASC', id: 'ASC' } as const;

@Injectable()
export class ClustersStore {
  constructor(
    @InjectRepository(ClusterEntity) private readonly clusters: Repository<ClusterEntity>,
    private readonly trail: AuditTrail,
  ) {}

  async list(accountId: AccountId): Promise<readonly Cluster[]> {
    const rows = await this.clusters.find({ where: { accountId }, order: OLDEST_FIRST });
    return rows.map(toCluster);
  }

  /** The oldest cluster of the account; created with this id and name when there is none. */
  async ensureFirst(accountId: AccountId, id: ClusterId, name: string): Promise<Cluster> {
    return this.clusters.manager.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      const [oldest] = await manager.find(ClusterEntity, { where: { accountId }, order: OLDEST_FIRST, take: 1 });
      return oldest === undefined ? this.insertRow(manager, accountId, id, name, 'system') : toCluster(oldest);
    });
  }

  /** For an account that no other transaction can see yet: needs neither a lock nor a check of the name. */
  async insertFirst(
    manager: EntityManager,
    accountId: AccountId,
    { id, name }: Pick<Cluster, 'id' | 'name'>,
  ): Promise<Cluster> {
    return this.insertRow(manager, accountId, id, name, 'system');
  }

  /** @throws FerryError `invalid_request` when the name is taken or the account has `limit` clusters. */
  async insert(
    accountId: AccountId,
    { id, name }: Pick<Cluster, 'id' | 'name'>,
    limit: number,
    actor: AuditActor,
  ): Promise<Cluster> {
    return this.clusters.manager.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      await refuseTakenName(manager, accountId, id, name);
      if ((await manager.countBy(ClusterEntity, { accountId })) >= limit) {
        throw new FerryError('invalid_request', `This account already has ${limit} clusters.`);
      }
      return this.insertRow(manager, accountId, id, name, actor);
    });
  }

  /** Undefined when the account has no such cluster. @throws FerryError `invalid_request` when the name is taken. */
  async rename(accountId: AccountId, id: ClusterId, name: string, actor: AuditActor): Promise<Cluster | undefined> {
    return this.clusters.manager.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      await refuseTakenName(manager, accountId, id, name);
      const row = await manager.findOneBy(ClusterEntity, { accountId, id });
      if (row === null) return undefined;
      await manager.update(ClusterEntity, { accountId, id }, { name });
      await this.trail.record(manager, {
        accountId,
        actor,
        action: 'cluster.rename',
        object: { kind: 'cluster', id },
        detail: { name, previous_name: row.name },
      });
      return { ...toCluster(row), name };
    });
  }

  /**
   * @returns false when the account has no such cluster
   * @throws FerryError `conflict` when the cluster is the last one, or not empty; the message names its nodes and keys
   */
  async delete(accountId: AccountId, id: ClusterId, actor: AuditActor): Promise<boolean> {
    return this.clusters.manager.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      const row = await manager.findOneBy(ClusterEntity, { accountId, id });
      if (row === null) return false;
      await refuseNonEmpty(manager, accountId, id);
      if ((await manager.countBy(ClusterEntity, { accountId })) === 1) {
        throw new FerryError('conflict', 'This is the only cluster of the account. Rename it instead.');
      }
      // Revoked nodes do not count as content.
      await manager.query(`DELETE FROM node WHERE account_id = $1 AND cluster_id = $2 AND state = 'revoked'`, [
        accountId,
        id,
      ]);
      await manager.delete(ClusterEntity, { accountId, id });
      await this.trail.record(manager, {
        accountId,
        actor,
        action: 'cluster.delete',
        object: { kind: 'cluster', id },
        detail: { name: row.name },
      });
      return true;
    });
  }

  private async insertRow(
    manager: EntityManager,
    accountId: AccountId,
    id: ClusterId,
    name: string,
    actor: AuditActor,
  ): Promise<Cluster> {
    await manager.insert(ClusterEntity, { accountId, id, name });
    await this.trail.record(manager, {
      accountId,
      actor,
      action: 'cluster.create',
      object: { kind: 'cluster', id },
      detail: { name },
    });
    return toCluster(await manager.findOneByOrFail(ClusterEntity, { accountId, id }));
  }
}

interface Content {
  readonly kind: 'node' | 'key';
  readonly name: string;
  readonly total: number;
}

/** Names listed per kind in the error message. */
const MAX_NAMES = 3;

async function refuseNonEmpty(manager: EntityManager, accountId: AccountId, id: ClusterId): Promise<void> {
  const content = await manager.query<Content[]>(
    `SELECT kind, name, total FROM (
       SELECT kind, name, count(*) OVER (PARTITION BY kind)::int AS total,
              row_number() OVER (PARTITION BY kind ORDER BY name) AS place
       FROM (
         SELECT 'node' AS kind, name FROM node WHERE account_id = $1 AND cluster_id = $2 AND state <> 'revoked'
         UNION ALL
         SELECT 'key', name FROM api_key
         WHERE account_id = $1 AND cluster_ids @> ARRAY[$2] AND revoked_at IS NULL
           AND (expires_at IS NULL OR expires_at > now())) AS content) AS counted
     WHERE place <= $3 ORDER BY kind DESC, name`,
    [accountId, id, MAX_NAMES],
  );
  if (content.length === 0) return;
  const nodes = namesOf(content, 'node', 'nodes');
  const keys = namesOf(content, 'key', 'API keys that are restricted to it');
  throw new FerryError('conflict', `This cluster is not empty. It has ${[...nodes, ...keys].join('; ')}.`);
}

function namesOf(content: readonly Content[], kind: Content['kind'], title: string): string[] {
  const ofKind = content.filter((item) => item.kind === kind);
  const [first] = ofKind;
  if (first === undefined) return [];
  const names = ofKind.map(({ name }) => name).join(', ');
  return [`${title}: ${names}${first.total > MAX_NAMES ? ` and ${first.total - MAX_NAMES} more` : ''}`];
}

async function refuseTakenName(
  manager: EntityManager,
  accountId: AccountId,
  id: ClusterId,
  name: string,
): Promise<void> {
  if (await manager.existsBy(ClusterEntity, { accountId, name, id: Not(id) })) {
    throw new FerryError('invalid_request', 'A cluster of this name already exists.', { param: 'name' });
  }
}

/**
 * Locked against its deletion at the same time, which would not see what is put into it. Lock the account first, as the deletion does.
 * @throws FerryError `cluster_not_found`
 */
export async function requireCluster(
  manager: EntityManager,
  accountId: AccountId,
  clusterId: ClusterId,
): Promise<void> {
  const rows = await manager.query<unknown[]>('SELECT 1 FROM cluster WHERE account_id = $1 AND id = $2 FOR SHARE', [
    accountId,
    clusterId,
  ]);
  if (rows.length === 0) throw new FerryError('cluster_not_found', undefined, { param: 'cluster_id' });
}

const toCluster = ({ id, name, createdAt }: ClusterEntity): Cluster => ({ id, name, createdAt });
