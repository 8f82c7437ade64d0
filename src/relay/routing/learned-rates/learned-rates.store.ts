import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { AccountId, NodeId } from '../../../kernel/ids.js';
import type { RestoredRates } from '../prediction/completion-predictor.js';
import type { ModelRates } from '../prediction/model-stats.js';
import { LearnedRateEntity } from './learned-rate.entity.js';

interface Row {
  readonly node_id: NodeId;
  readonly model_key: string;
  readonly rates: ModelRates;
  readonly age_ms: number;
}

@Injectable()
export class LearnedRatesStore {
  constructor(@InjectRepository(LearnedRateEntity) private readonly learned: Repository<LearnedRateEntity>) {}

  /** Returns rates of all nodes, the latest observations first. */
  async newest(youngerThanMs: number, limit: number): Promise<readonly RestoredRates[]> {
    const rows = await this.learned.query<Row[]>(
      `SELECT node_id, model_key, rates, (extract(epoch FROM now() - observed_at) * 1000)::float8 AS age_ms
       FROM learned_rate WHERE observed_at > now() - $1 * interval '1 millisecond' ORDER BY observed_at DESC LIMIT $2`,
      [youngerThanMs, limit],
    );
    return rows.map(({ node_id, model_key, rates, age_ms }) => ({
      nodeId: node_id,
      modelKey: model_key,
      rates,
      ageMs: age_ms,
    }));
  }

  /** Milliseconds per output token of a single request, by the key of the model. */
  async decodeTimes(accountId: AccountId, nodeId: NodeId): Promise<ReadonlyMap<string, number>> {
    const rows = await this.learned.findBy({ accountId, nodeId });
    return new Map(
      rows.flatMap(({ modelKey, rates: { decode } }) => (decode === null ? [] : [[modelKey, decode.msPerToken]])),
    );
  }

  /** Nodes that were deleted are left out, and rows with a newer observation of another relay stay. */
  async save(learned: readonly RestoredRates[]): Promise<void> {
    await this.learned.query(
      `INSERT INTO learned_rate (account_id, node_id, model_key, rates, observed_at)
       SELECT node.account_id, node.id, model_key, rates::jsonb, now() - age_ms * interval '1 millisecond'
       FROM unnest($1::text[], $2::text[], $3::text[], $4::float8[]) AS learned (node_id, model_key, rates, age_ms)
       JOIN node ON node.id = learned.node_id
       ORDER BY 1, 2, 3
       ON CONFLICT (account_id, node_id, model_key) DO UPDATE
         SET rates = EXCLUDED.rates, observed_at = EXCLUDED.observed_at
         WHERE learned_rate.observed_at < EXCLUDED.observed_at`,
      [
        learned.map(({ nodeId }) => nodeId),
        learned.map(({ modelKey }) => modelKey),
        learned.map(({ rates }) => JSON.stringify(rates)),
        learned.map(({ ageMs }) => ageMs),
      ],
    );
  }

  async prune(olderThanMs: number): Promise<void> {
    await this.learned.query(`DELETE FROM learned_rate WHERE observed_at < now() - $1 * interval '1 millisecond'`, [
      olderThanMs,
    ]);
  }
}
