import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import type { AccountId, ModelSelector, NodeId } from '../../kernel/ids.js';
import type { SeenModel, StoredModels } from './account-catalogue.js';
import { ModelEntity } from './model.entity.js';

interface ModelRow {
  readonly selector: ModelSelector;
  readonly first_seen_ms: number;
}

interface NodeModelRow {
  readonly node_id: NodeId;
  readonly selector: ModelSelector;
  readonly display_name: string;
  readonly canonical_name: string;
}

@Injectable()
export class KnownModelsStore {
  constructor(@InjectRepository(ModelEntity) private readonly models: Repository<ModelEntity>) {}

  /** Models of the account's enrolled nodes as of their last reports. */
  async load(accountId: AccountId): Promise<StoredModels> {
    const seen = await this.models.query<ModelRow[]>(
      'SELECT selector, (extract(epoch FROM first_seen) * 1000)::float8 AS first_seen_ms FROM model WHERE account_id = $1',
      [accountId],
    );
    const known = await this.models.query<NodeModelRow[]>(
      `SELECT node_id, selector, display_name, canonical_name
       FROM node_model JOIN node ON node.account_id = node_model.account_id AND node.id = node_model.node_id
       WHERE node_model.account_id = $1 AND node.state <> 'revoked'`,
      [accountId],
    );
    return {
      firstSeenMs: new Map(seen.map(({ selector, first_seen_ms }) => [selector, first_seen_ms])),
      models: known.map((row) => ({
        nodeId: row.node_id,
        selector: row.selector,
        displayName: row.display_name,
        canonicalName: row.canonical_name,
      })),
    };
  }

  /**
   * Replaces the stored models of these nodes; skips deleted nodes. Deletes the oldest models without a node beyond `limit`.
   */
  async save(accountId: AccountId, known: ReadonlyMap<NodeId, readonly SeenModel[]>, limit: number): Promise<void> {
    const rows = [...known].flatMap(([nodeId, models]) => models.map((model) => ({ nodeId, ...model })));
    const selectors = rows.map(({ selector }) => selector);
    const nodeIds = rows.map(({ nodeId }) => nodeId);
    await this.models.manager.transaction(async (manager) => {
      await manager.query(
        `INSERT INTO model (account_id, selector, first_seen)
         SELECT $1, selector, to_timestamp(first_seen_ms / 1000) FROM unnest($2::text[], $3::float8[]) AS seen (selector, first_seen_ms)
         ON CONFLICT DO NOTHING`,
        [accountId, selectors, rows.map(({ firstSeenMs }) => firstSeenMs)],
      );
      await manager.query(
        `DELETE FROM node_model WHERE account_id = $1 AND node_id = ANY ($2::text[])
         AND (node_id, selector) NOT IN (SELECT * FROM unnest($3::text[], $4::text[]))`,
        [accountId, [...known.keys()], nodeIds, selectors],
      );
      await manager.query(
        `INSERT INTO node_model (account_id, node_id, selector, display_name, canonical_name)
         SELECT $1, node_id, selector, display_name, canonical_name
         FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS seen (node_id, selector, display_name, canonical_name)
         JOIN node ON node.account_id = $1 AND node.id = seen.node_id
         ON CONFLICT (account_id, node_id, selector)
         DO UPDATE SET display_name = excluded.display_name, canonical_name = excluded.canonical_name`,
        [
          accountId,
          nodeIds,
          selectors,
          rows.map(({ displayName }) => displayName),
          rows.map(({ canonicalName }) => canonicalName),
        ],
      );
      await this.forgetDeparted(manager, accountId, limit);
    });
  }

  /** Scans for models without a node only above the limit, because the scan reads all models. */
  private async forgetDeparted(manager: EntityManager, accountId: AccountId, limit: number): Promise<void> {
    const [count] = await manager.query<[{ excess: number }]>(
      'SELECT (count(*) - $2)::int AS excess FROM model WHERE account_id = $1',
      [accountId, limit],
    );
    if (count.excess <= 0) return;
    await manager.query(
      `DELETE FROM model WHERE account_id = $1 AND selector IN (
         SELECT selector FROM model AS departed
         WHERE account_id = $1 AND NOT EXISTS (
           SELECT FROM node_model WHERE account_id = $1 AND node_model.selector = departed.selector)
         ORDER BY first_seen
         LIMIT $2)`,
      [accountId, count.excess],
    );
  }
}
