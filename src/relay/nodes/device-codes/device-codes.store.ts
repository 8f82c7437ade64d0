import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { AccountId, ClusterId, NodeId } from '../../../kernel/ids.js';
import { lockAccount } from '../../accounts/accounts.store.js';
import type { AuditActor } from '../../accounts/audit/audit-event.js';
import { AuditTrail } from '../../accounts/audit/audit-trail.store.js';
import { requireCluster } from '../../clusters/clusters.store.js';
import type { NodeState } from '../handshake/node-authenticator.js';
import { insertNode } from '../nodes.store.js';
import { shownUserCode, TRIES_PER_CODE } from '../../accounts/device-login/device-authorization.js';
import { DeviceCodeEntity } from './device-code.entity.js';

/** A computer that asks, as it describes itself. */
export interface RequestingDevice {
  readonly userCode: string;
  /** Raw ed25519 key, 32 bytes. */
  readonly publicKey: Buffer;
  readonly nodeName: string;
  readonly platform: string;
  readonly agentVersion: string;
  readonly ip: string;
  readonly expiresAt: Date;
}

export interface NewDeviceCode extends Omit<RequestingDevice, 'expiresAt'> {
  readonly hash: Buffer;
  readonly lifetimeMs: number;
}

export interface Approval {
  readonly nodeId: NodeId;
  readonly clusterId: ClusterId;
  /** null: as the computer calls itself. */
  readonly name: string | null;
}

/** Marks the code of a refused computer: no node has this id. */
const REFUSED = 'refused';

export interface ApprovalLimits {
  readonly nodeLimit: number;
  readonly confirmWithinMs: number;
  /** Throws when the computer is not the expected one; nothing is changed then. */
  readonly accept: (device: RequestingDevice) => void;
  /** Throws when the actor may not approve any more; nothing is changed then. Default: nothing. */
  readonly permit?: (manager: EntityManager) => Promise<unknown>;
}

export interface DeviceNode {
  readonly accountId: AccountId;
  readonly nodeId: NodeId;
  readonly clusterId: ClusterId;
  readonly state: NodeState;
}

/** Codes belong to nobody until somebody approves them, so these queries have no account: the code is what tells. */
@Injectable()
export class DeviceCodesStore {
  constructor(
    @InjectRepository(DeviceCodeEntity) private readonly codes: Repository<DeviceCodeEntity>,
    private readonly trail: AuditTrail,
  ) {}

  /** Codes that have expired go away in passing. @throws FerryError `rate_limit_exceeded` while there are `openLimit` codes */
  async insert(code: NewDeviceCode, openLimit: number): Promise<void> {
    const { hash, userCode, publicKey, nodeName, platform, agentVersion, ip, lifetimeMs } = code;
    await this.codes.manager.transaction(async (manager) => {
      await manager.query('DELETE FROM device_code WHERE expires_at <= now()');
      if ((await manager.count(DeviceCodeEntity)) >= openLimit) {
        throw new FerryError('rate_limit_exceeded', 'Too many computers are waiting for approval.', {
          retryAfterSeconds: Math.ceil(lifetimeMs / 1_000),
        });
      }
      await manager.query(
        `INSERT INTO device_code (hash, user_code, public_key, node_name, platform, agent_version, ip, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 millisecond')`,
        [hash, userCode, publicKey, nodeName, platform, agentVersion, ip, lifetimeMs],
      );
    });
  }

  /** Undefined when the code is unknown, expired, used up or approved already. */
  look(userCode: string): Promise<RequestingDevice | undefined> {
    return spendTry(this.codes.manager, userCode);
  }

  /**
   * Makes the computer a node that is pending, once: of any number of approvals of one code, one wins. Undefined as `look`.
   * @throws FerryError `cluster_not_found`, `invalid_request` when the account has `nodeLimit` nodes
   */
  async approve(
    accountId: AccountId,
    userCode: string,
    { nodeId, clusterId, name }: Approval,
    { nodeLimit, confirmWithinMs, accept, permit }: ApprovalLimits,
    actor: AuditActor,
  ): Promise<RequestingDevice | undefined> {
    return this.codes.manager.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      await permit?.(manager);
      await requireCluster(manager, accountId, clusterId);
      const device = await spendTry(manager, userCode);
      if (device === undefined) return undefined;
      accept(device);
      const { publicKey, platform, agentVersion, ip } = device;
      const nodeName = await insertNode(
        manager,
        accountId,
        { id: nodeId, clusterId, state: 'pending', name: name ?? device.nodeName, publicKey, platform, agentVersion },
        nodeLimit,
      );
      await manager.query(
        `UPDATE device_code SET account_id = $2, node_id = $3, expires_at = now() + $4 * interval '1 millisecond'
         WHERE user_code = $1`,
        [userCode, accountId, nodeId, confirmWithinMs],
      );
      await this.trail.record(manager, {
        accountId,
        actor,
        action: 'node.approve',
        object: { kind: 'node', id: nodeId },
        detail: { name: nodeName, cluster_id: clusterId, by: 'device code', platform, node_ip: ip },
      });
      return device;
    });
  }

  /** The computer learns at its next poll that it was refused. @returns false as `look` */
  async deny(accountId: AccountId, userCode: string, actor: AuditActor): Promise<boolean> {
    return this.codes.manager.transaction(async (manager) => {
      const device = await spendTry(manager, userCode);
      if (device === undefined) return false;
      await manager.query('UPDATE device_code SET account_id = $2, node_id = $3 WHERE user_code = $1', [
        userCode,
        accountId,
        REFUSED,
      ]);
      await this.trail.record(manager, {
        accountId,
        actor,
        action: 'node.deny',
        object: { kind: 'device-code', id: shownUserCode(userCode) },
        detail: { name: device.nodeName, platform: device.platform, node_ip: device.ip },
      });
      return true;
    });
  }

  /** `waiting`: nobody has approved it. Undefined when the code is unknown or expired. */
  async poll(hash: Buffer): Promise<'waiting' | 'removed' | DeviceNode | undefined> {
    const rows = await this.codes.query<PolledRow[]>(
      `SELECT code.account_id, code.node_id, node.cluster_id, node.state
       FROM device_code AS code LEFT JOIN node ON node.account_id = code.account_id AND node.id = code.node_id
       WHERE code.hash = $1 AND code.expires_at > now()`,
      [hash],
    );
    const row = rows[0];
    if (row === undefined) return undefined;
    if (row.node_id === null || row.account_id === null) return 'waiting';
    if (row.state === null || row.cluster_id === null || row.state === 'revoked') return 'removed';
    return { accountId: row.account_id, nodeId: row.node_id, clusterId: row.cluster_id, state: row.state };
  }
}

interface PolledRow {
  readonly account_id: AccountId | null;
  readonly node_id: NodeId | null;
  readonly cluster_id: ClusterId | null;
  readonly state: NodeState | null;
}

interface DeviceRow {
  readonly public_key: Buffer;
  readonly node_name: string;
  readonly platform: string;
  readonly agent_version: string;
  readonly ip: string;
  readonly expires_at: Date;
}

/** One statement, so that the tries are counted exactly however many come at once. */
async function spendTry(manager: EntityManager, userCode: string): Promise<RequestingDevice | undefined> {
  const [rows] = await manager.query<[DeviceRow[], number]>(
    `UPDATE device_code SET tries = tries + 1
     WHERE user_code = $1 AND node_id IS NULL AND tries < $2 AND expires_at > now()
     RETURNING public_key, node_name, platform, agent_version, ip, expires_at`,
    [userCode, TRIES_PER_CODE],
  );
  const [row] = rows;
  return (
    row && {
      userCode,
      publicKey: row.public_key,
      nodeName: row.node_name,
      platform: row.platform,
      agentVersion: row.agent_version,
      ip: row.ip,
      expiresAt: row.expires_at,
    }
  );
}
