import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { QueryFailedError, type EntityManager, type QueryRunner, type Repository } from 'typeorm';
import { systemClock } from '../../kernel/clock.js';
import { LruMap } from '../../kernel/lru-map.js';
import { copyRows } from '../platform/database/copy-rows.js';
import { countedColumns } from './counted-columns.js';
import { RequestLogEntity } from './request-log.entity.js';
import { websiteName } from './usage-names.js';
import type { NamedThing } from './named-things.js';
import { lineColumns, UsageBatch } from './usage-batch.js';
import type { UsageRow } from './usage-row.js';

const HOUR_KEY = 'account_id, hour, key_id, node_id, cluster_id, model, dialect';
const counted = countedColumns.join(', ');

/** Rows are in the order of the key, so that two replicas never deadlock. */
const ADD_TO_HOURS = `
  ON CONFLICT ON CONSTRAINT usage_hour_pk DO UPDATE SET
    ${countedColumns.map((column) => `${column} = usage_hour.${column} + EXCLUDED.${column}`).join(', ')}`;

/** Sums of rows that are new to the log. The hours refer to their account: of a deleted one they are refused. */
const WRITE_SUMS = `
  INSERT INTO usage_hour (${HOUR_KEY}, ${counted})
  SELECT ${HOUR_KEY}, ${counted} FROM json_populate_recordset(NULL::usage_hour, $1::json)
  ORDER BY 1, 2, 3, 4, 5, 6, 7
  ${ADD_TO_HOURS}`;

/**
 * For rows of which some may be in the log already. One statement, so one transaction: the roll-up counts exactly the new ones. Rows of a
 * deleted account are left out. The sums are in the order of `countedColumns`.
 */
const WRITE_MISSING_ROWS = `
  WITH given AS (
    SELECT row.* FROM json_populate_recordset(NULL::request_log, $1::json) AS row JOIN account ON account.id = row.account_id
  ), logged AS (
    INSERT INTO request_log SELECT * FROM given ON CONFLICT ON CONSTRAINT request_log_pk DO NOTHING RETURNING *
  )
  INSERT INTO usage_hour (${HOUR_KEY}, ${counted})
  SELECT account_id, date_trunc('hour', started_at, 'UTC'), key_id,
         coalesce(node_id, ''), coalesce(cluster_id, ''), coalesce(model, ''), dialect,
         count(*),
         count(*) FILTER (WHERE outcome = 'completed'),
         count(*) FILTER (WHERE outcome = 'failed'),
         count(*) FILTER (WHERE outcome = 'cancelled'),
         count(*) FILTER (WHERE outcome = 'timed_out'),
         count(*) FILTER (WHERE outcome = 'rejected'),
         sum(input_tokens), sum(cached_tokens), sum(output_tokens), sum(reasoning_tokens),
         count(*) FILTER (WHERE source = 'estimated')
  FROM logged
  GROUP BY 1, 2, 3, 4, 5, 6, 7
  ORDER BY 1, 2, 3, 4, 5, 6, 7
  ${ADD_TO_HOURS}`;

/** Names are stored while the objects still exist; models are named by the node that served them. */
const WRITE_NAMES = `
  INSERT INTO usage_name (account_id, kind, id, name, seen_at)
  SELECT given.account_id, given.kind, given.id, coalesce(given.name, api_key.name, ${websiteName('"user".name')}, node.name, cluster.name), now()
  FROM jsonb_to_recordset($1::jsonb) AS given(account_id text, kind text, id text, name text)
  JOIN account ON account.id = given.account_id
  LEFT JOIN api_key ON given.kind = 'key' AND api_key.account_id = given.account_id AND api_key.id = given.id
  LEFT JOIN "user" ON given.kind = 'key' AND "user".account_id = given.account_id AND "user".id = given.id
  LEFT JOIN node ON given.kind = 'node' AND node.account_id = given.account_id AND node.id = given.id
  LEFT JOIN cluster ON given.kind = 'cluster' AND cluster.account_id = given.account_id AND cluster.id = given.id
  WHERE coalesce(given.name, api_key.name, "user".name, node.name, cluster.name) IS NOT NULL
  ORDER BY 1, 2, 3
  ON CONFLICT ON CONSTRAINT usage_name_pk DO UPDATE SET name = EXCLUDED.name, seen_at = EXCLUDED.seen_at
  WHERE usage_name.name <> EXCLUDED.name OR usage_name.seen_at < EXCLUDED.seen_at - interval '1 day'`;

/** Names are read only of objects that are gone: one that was renamed since may be this old. */
const NAMES_FRESH_MS = 60_000;
const STORED_NAMES = 10_000;

@Injectable()
export class UsageWriterStore {
  private readonly logger = new Logger('Usage');

  /** Names written lately, by account and id. */
  private readonly stored = new LruMap<string, { readonly name: string | null; readonly storedAtMs: number }>(
    STORED_NAMES,
  );

  constructor(@InjectRepository(RequestLogEntity) private readonly requests: Repository<RequestLogEntity>) {}

  /**
   * Idempotent by request id. A row whose content the database refuses is dropped with a warning, so that it cannot block the others.
   * @throws any other error of the database
   */
  async write(rows: readonly UsageRow[]): Promise<void> {
    const batch = new UsageBatch(rows);
    try {
      await this.transaction(batch.named, async (manager) => {
        await copyRows(runnerOf(manager), 'request_log', lineColumns, batch.lines);
        await manager.query(WRITE_SUMS, [JSON.stringify(batch.sums)]);
      });
    } catch (error) {
      // A batch that comes again, an account that was deleted, or a bad row: rare, and the cheap way does not tell which row it was.
      if (!isAboutContent(error)) throw error;
      await this.writeMissing(rows);
    }
  }

  private async writeMissing(rows: readonly UsageRow[]): Promise<void> {
    try {
      const { named } = new UsageBatch(rows);
      await this.transaction(named, (manager) => manager.query(WRITE_MISSING_ROWS, [JSON.stringify(rows)]));
    } catch (error) {
      if (!isAboutContent(error)) throw error;
      const [row] = rows;
      if (rows.length <= 1) {
        this.logger.warn('a request is not metered', { req_id: row?.id, error: String(error) });
        return;
      }
      const middle = rows.length >> 1;
      await this.writeMissing(rows.slice(0, middle));
      await this.writeMissing(rows.slice(middle));
    }
  }

  /** With the names that the rows need. */
  private async transaction(
    things: readonly NamedThing[],
    writeRows: (manager: EntityManager) => Promise<unknown>,
  ): Promise<void> {
    const named = things.filter((thing) => !this.isStored(thing));
    await this.requests.manager.transaction(async (manager) => {
      await writeRows(manager);
      if (named.length > 0) await manager.query(WRITE_NAMES, [JSON.stringify(named)]);
    });
    const storedAtMs = systemClock.monotonicMs();
    for (const { account_id, id, name } of named) this.stored.set(`${account_id} ${id}`, { name, storedAtMs });
  }

  private isStored({ account_id, id, name }: NamedThing): boolean {
    const stored = this.stored.get(`${account_id} ${id}`);
    return stored?.name === name && systemClock.monotonicMs() - stored.storedAtMs < NAMES_FRESH_MS;
  }
}

/** Within a transaction. */
function runnerOf({ queryRunner }: EntityManager): QueryRunner {
  if (queryRunner === undefined) throw new Error('not in a transaction');
  return queryRunner;
}

/** SQLSTATE classes 22 and 23: data exception, constraint violation. */
const isAboutContent = (error: unknown): boolean => {
  // `COPY` goes past TypeORM, which wraps the errors of the driver.
  const { code } = (error instanceof QueryFailedError ? error.driverError : error) as { code?: unknown };
  return typeof code === 'string' && /^2[23]/.test(code);
};
