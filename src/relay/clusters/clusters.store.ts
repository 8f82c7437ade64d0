import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, type EntityManager, type Repository } from 'typeorm';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import type { AccountId, ClusterId } from '../../kernel/ids.js';
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
  constructor(@InjectRepository(ClusterEntity) private readonly clusters: Repository<ClusterEntity>) {}

  async list(accountId: AccountId): Promise<readonly Cluster[]> {
    const rows = await this.clusters.find({ where: { accountId }, order: OLDEST_FIRST });
    return rows.map(toCluster);
  }

  /** The oldest cluster of the account; when it has none, one with this id and name is made. */
  async ensureFirst(accountId: AccountId, id: ClusterId, name: string): Promise<Cluster> {
    return this.clusters.manager.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      const [oldest] = await manager.find(ClusterEntity, { where: { accountId }, order: OLDEST_FIRST, take: 1 });
      return oldest === undefined ? insert(manager, accountId, id, name) : toCluster(oldest);
    });
  }

  /** @throws FerryError `invalid_request` when the name is taken or the account has `limit` clusters. */
  async insert(accountId: AccountId, id: ClusterId, name: string, limit: number): Promise<Cluster> {
    return this.clusters.manager.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      await refuseTakenName(manager, accountId, id, name);
      if ((await manager.countBy(ClusterEntity, { accountId })) >= limit) {
        throw new FerryError('invalid_request', `This account already has ${limit} clusters.`);
      }
      return insert(manager, accountId, id, name);
    });
  }

  /** Undefined when the account has no such cluster. @throws FerryError `invalid_request` when the name is taken. */
  async rename(accountId: AccountId, id: ClusterId, name: string): Promise<Cluster | undefined> {
    return this.clusters.manager.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      await refuseTakenName(manager, accountId, id, name);
      await manager.update(ClusterEntity, { accountId, id }, { name });
      const row = await manager.findOneBy(ClusterEntity, { accountId, id });
      return row === null ? undefined : toCluster(row);
    });
  }
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

async function insert(manager: EntityManager, accountId: AccountId, id: ClusterId, name: string): Promise<Cluster> {
  await manager.insert(ClusterEntity, { accountId, id, name });
  return toCluster(await manager.findOneByOrFail(ClusterEntity, { accountId, id }));
}

const toCluster = ({ id, name, createdAt }: ClusterEntity): Cluster => ({ id, name, createdAt });
