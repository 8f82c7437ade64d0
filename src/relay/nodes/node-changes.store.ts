import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import type { AccountId, ClusterId, NodeId } from '../../kernel/ids.js';
import { lockAccount } from '../accounts/accounts.store.js';
import type { AuditActor, AuditDetail } from '../accounts/audit/audit-event.js';
import { AuditTrail } from '../accounts/audit/audit-trail.store.js';
import { requireCluster } from '../clusters/clusters.store.js';
import { NodeEntity } from './node.entity.js';
import { toNode, type Node } from './nodes.store.js';

/** Absent: stays as it is. */
export interface NodeChange {
  readonly name?: string;
  readonly clusterId?: ClusterId;
  readonly paused?: boolean;
  readonly note?: string | null;
  readonly tags?: string[];
}

/** Action in the audit trail. */
export type NodeAction = 'node.update' | 'node.pause' | 'node.resume';

export type Confirmation = 'confirmed' | 'wrong' | 'given_up' | 'not_pending';

/** Changes to nodes by users. Each change and its audit entry are one transaction. */
@Injectable()
export class NodeChangesStore {
  constructor(
    @InjectRepository(NodeEntity) private readonly nodes: Repository<NodeEntity>,
    private readonly trail: AuditTrail,
  ) {}

  /** Undefined when the account has no such node, or it is revoked. @throws FerryError `cluster_not_found` */
  async change(
    accountId: AccountId,
    nodeId: NodeId,
    change: NodeChange,
    action: NodeAction,
    actor: AuditActor,
  ): Promise<Node | undefined> {
    return this.nodes.manager.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      const before = await manager.findOneBy(NodeEntity, { accountId, id: nodeId });
      if (before === null || before.state === 'revoked') return undefined;
      if (change.clusterId !== undefined) await requireCluster(manager, accountId, change.clusterId);
      if (Object.keys(change).length > 0) await manager.update(NodeEntity, { accountId, id: nodeId }, change);
      const after = toNode(await manager.findOneByOrFail(NodeEntity, { accountId, id: nodeId }));
      await this.record(manager, accountId, nodeId, action, actor, changesOf(toNode(before), after));
      return after;
    });
  }

  /** @returns whether the account had such a node that was not revoked yet. */
  async revoke(accountId: AccountId, nodeId: NodeId, actor: AuditActor): Promise<boolean> {
    return this.nodes.manager.transaction(async (manager) => {
      const rows = await manager.query<[{ name: string }[], number]>(
        `UPDATE node SET state = 'revoked' WHERE account_id = $1 AND id = $2 AND state <> 'revoked' RETURNING name`,
        [accountId, nodeId],
      );
      const [node] = rows[0];
      if (node === undefined) return false;
      await this.record(manager, accountId, nodeId, 'node.revoke', actor, { name: node.name });
      return true;
    });
  }

  /** @returns whether the account had such a node that was revoked: one that may still connect is not deleted. */
  async delete(accountId: AccountId, nodeId: NodeId, actor: AuditActor): Promise<boolean> {
    return this.nodes.manager.transaction(async (manager) => {
      const rows = await manager.query<[{ name: string }[], number]>(
        `DELETE FROM node WHERE account_id = $1 AND id = $2 AND state = 'revoked' RETURNING name`,
        [accountId, nodeId],
      );
      const [node] = rows[0];
      if (node === undefined) return false;
      await this.record(manager, accountId, nodeId, 'node.delete', actor, { name: node.name });
      return true;
    });
  }

  /**
   * Activates a pending node when its fingerprint is confirmed. After `triesAllowed` wrong fingerprints the node is revoked, also when
   * attempts arrive concurrently.
   * Undefined when the account has no such node.
   */
  async confirm(
    accountId: AccountId,
    nodeId: NodeId,
    isRight: (publicKey: Buffer) => boolean,
    triesAllowed: number,
    actor: AuditActor,
  ): Promise<Confirmation | undefined> {
    return this.nodes.manager.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      const node = await manager.findOneBy(NodeEntity, { accountId, id: nodeId });
      if (node === null) return undefined;
      if (node.state !== 'pending') return 'not_pending';
      if (isRight(node.publicKey)) {
        await manager.update(NodeEntity, { accountId, id: nodeId }, { state: 'active' });
        await this.record(manager, accountId, nodeId, 'node.confirm', actor, { name: node.name });
        return 'confirmed';
      }
      const confirmationTries = node.confirmationTries + 1;
      const givenUp = confirmationTries >= triesAllowed;
      await manager.update(
        NodeEntity,
        { accountId, id: nodeId },
        { confirmationTries, state: givenUp ? 'revoked' : 'pending' },
      );
      await this.record(manager, accountId, nodeId, 'node.confirm_refused', actor, {
        name: node.name,
        tries: confirmationTries,
        revoked: givenUp,
      });
      return givenUp ? 'given_up' : 'wrong';
    });
  }

  private async record(
    manager: EntityManager,
    accountId: AccountId,
    id: NodeId,
    action: string,
    actor: AuditActor,
    detail: AuditDetail,
  ): Promise<void> {
    await this.trail.record(manager, { accountId, actor, action, object: { kind: 'node', id }, detail });
  }
}

function changesOf(before: Node, after: Node): AuditDetail {
  return {
    name: after.name,
    ...(before.name === after.name ? {} : { previous_name: before.name }),
    ...(before.clusterId === after.clusterId
      ? {}
      : { cluster_id: after.clusterId, previous_cluster_id: before.clusterId }),
    // Its text is for the people of the account, and may be long.
    ...(before.note === after.note ? {} : { note_changed: true }),
    ...(tagText(before) === tagText(after) ? {} : { tags: tagText(after) }),
  };
}

const tagText = ({ tags }: Node): string => tags.join(', ');
