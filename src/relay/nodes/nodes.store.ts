import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, type EntityManager, type Repository } from 'typeorm';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import type { AccountId, ClusterId, NodeId } from '../../kernel/ids.js';
import { lockAccount } from '../accounts/accounts.store.js';
import { AuditTrail } from '../accounts/audit/audit-trail.store.js';
import { spendJoinToken, type SpentJoinToken } from '../clusters/join-tokens.store.js';
import type { Admission, EnrolledNode, HandshakeStore, NodeState } from './handshake/node-authenticator.js';
import { NodeEntity } from './node.entity.js';
import type { NodeStop } from './registry/node-registry.js';

export interface Node {
  readonly id: NodeId;
  readonly clusterId: ClusterId;
  readonly name: string;
  readonly state: NodeState;
  readonly paused: boolean;
  /** What people have written about it; null: nothing. */
  readonly note: string | null;
  readonly tags: readonly string[];
  readonly publicKey: Buffer;
  readonly platform: string;
  readonly agentVersion: string;
  readonly lastSeenAt: Date | null;
  /** When it was stopped on its computer; null: it was lost, or has been connected since. */
  readonly stoppedAt: Date | null;
  readonly createdAt: Date;
}

export type NewNode = Pick<Node, 'id' | 'name' | 'publicKey' | 'platform' | 'agentVersion'>;

export interface NodeSighting {
  readonly accountId: AccountId;
  readonly nodeId: NodeId;
  readonly platform: string;
  readonly agentVersion: string;
}

@Injectable()
export class NodesStore implements HandshakeStore {
  constructor(
    @InjectRepository(NodeEntity) private readonly nodes: Repository<NodeEntity>,
    private readonly trail: AuditTrail,
  ) {}

  /** Nodes that are not revoked, or only those that are; oldest first. */
  async list(accountId: AccountId, revoked = false): Promise<readonly Node[]> {
    const rows = await this.nodes.find({
      where: { accountId, state: revoked ? 'revoked' : Not('revoked') },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    return rows.map(toNode);
  }

  /** Finds a revoked node, too. */
  async find(accountId: AccountId, id: NodeId): Promise<Node | undefined> {
    const row = await this.nodes.findOneBy({ accountId, id });
    return row === null ? undefined : toNode(row);
  }

  /**
   * Turns an unspent join token into a node, both or neither: of any number of attempts with one token, one wins.
   * Undefined when the token is unknown, used, expired, or of somebody who may not make one any more. @throws FerryError `invalid_request` when the account has `limit` nodes.
   */
  async enrol(
    tokenHash: Buffer,
    node: NewNode,
    limit: number,
    { ip }: { readonly ip: string | null } = { ip: null },
  ): Promise<SpentJoinToken | undefined> {
    return this.nodes.manager.transaction(async (manager) => {
      const token = await spendJoinToken(manager, tokenHash, node.id);
      if (token === undefined) return undefined;
      const { accountId, clusterId } = token;
      const name = await insertNode(manager, accountId, { ...node, clusterId, state: 'active' }, limit);
      await this.trail.record(manager, {
        accountId,
        actor: 'system',
        action: 'node.enrol',
        object: { kind: 'node', id: node.id },
        detail: { name, cluster_id: clusterId, by: 'join token', platform: node.platform },
        ip,
      });
      return { accountId, clusterId };
    });
  }

  /** The only look-up without an account: the signature proves which account the node belongs to. */
  async findEnrolled(nodeId: NodeId): Promise<EnrolledNode | undefined> {
    const row = await this.nodes.findOneBy({ id: nodeId });
    if (row === null) return undefined;
    const { accountId, id, clusterId, name, publicKey, state, paused } = row;
    return { accountId, nodeId: id, clusterId, name, publicKey, state, paused };
  }

  async admit(
    accountId: AccountId,
    nodeId: NodeId,
    nonceHash: Buffer,
    processEpoch: number | null = null,
  ): Promise<Admission> {
    // One statement is one transaction, and one round trip for each of a thousand nodes that come back at once.
    const rows = await this.nodes.query<{ fresh: boolean; active: boolean; epoch: number | null }[]>(
      `WITH fresh AS (INSERT INTO used_nonce (hash) VALUES ($3) ON CONFLICT DO NOTHING RETURNING hash),
            admitted AS (
              UPDATE node SET epoch = coalesce($4, epoch + 1), last_seen_at = now(), stopped_at = NULL
              WHERE account_id = $1 AND id = $2 AND state = 'active' AND coalesce($4 >= epoch, true)
                AND EXISTS (SELECT FROM fresh)
              RETURNING epoch)
       SELECT EXISTS (SELECT FROM fresh) AS fresh,
              EXISTS (SELECT FROM node WHERE account_id = $1 AND id = $2 AND state = 'active') AS active,
              (SELECT epoch::float8 FROM admitted) AS epoch`,
      [accountId, nodeId, nonceHash, processEpoch],
    );
    const row = rows[0];
    if (row?.fresh !== true) return { kind: 'replayed' };
    if (row.epoch !== null) return { kind: 'admitted', epoch: row.epoch };
    return { kind: row.active && processEpoch !== null ? 'superseded' : 'inactive' };
  }

  /** Not when a newer process of the node has connected meanwhile. */
  async markStopped({ accountId, nodeId, epoch }: NodeStop): Promise<void> {
    await this.nodes.query(
      `UPDATE node SET stopped_at = now() WHERE account_id = $1 AND id = $2 AND epoch = $3 AND stopped_at IS NULL`,
      [accountId, nodeId, epoch],
    );
  }

  async markSeen(sightings: readonly NodeSighting[]): Promise<void> {
    await this.nodes.query(
      `UPDATE node SET last_seen_at = now(), stopped_at = NULL, platform = seen.platform, agent_version = seen.agent_version
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS seen (account_id, id, platform, agent_version)
       WHERE node.account_id = seen.account_id AND node.id = seen.id`,
      [
        sightings.map(({ accountId }) => accountId),
        sightings.map(({ nodeId }) => nodeId),
        sightings.map(({ platform }) => platform),
        sightings.map(({ agentVersion }) => agentVersion),
      ],
    );
  }

  /** Forgets nonces that have expired by themselves and so cannot be replayed. */
  async pruneNonces(olderThanMs: number): Promise<void> {
    await this.nodes.query(`DELETE FROM used_nonce WHERE used_at < now() - $1 * interval '1 millisecond'`, [
      olderThanMs,
    ]);
  }
}

/**
 * Inserts a node under a name that no other node of the account has: computers of one host name become `vm` and `vm-2`.
 * Locks the account, so that two nodes cannot both take the last free place or the same name.
 * @returns the name that the node got
 * @throws FerryError `invalid_request` when the account has `limit` nodes
 */
export async function insertNode(
  manager: EntityManager,
  accountId: AccountId,
  node: NewNode & Pick<Node, 'clusterId' | 'state'>,
  limit: number,
): Promise<string> {
  await lockAccount(manager, accountId);
  if ((await manager.countBy(NodeEntity, { accountId, state: Not('revoked') })) >= limit) {
    throw new FerryError('invalid_request', `This account already has ${String(limit)} nodes. Revoke one first.`);
  }
  const name = await freeName(manager, accountId, node.name);
  await manager.insert(NodeEntity, { accountId, ...node, name });
  return name;
}

async function freeName(manager: EntityManager, accountId: AccountId, wanted: string): Promise<string> {
  const rows = await manager.find(NodeEntity, { where: { accountId, state: Not('revoked') }, select: { name: true } });
  const taken = new Set(rows.map(({ name }) => name));
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}-${String(number)}`;
  return name;
}

export const toNode = (row: NodeEntity): Node => ({
  id: row.id,
  clusterId: row.clusterId,
  name: row.name,
  state: row.state,
  paused: row.paused,
  note: row.note,
  tags: row.tags,
  publicKey: row.publicKey,
  platform: row.platform,
  agentVersion: row.agentVersion,
  lastSeenAt: row.lastSeenAt,
  stoppedAt: row.stoppedAt,
  createdAt: row.createdAt,
});
