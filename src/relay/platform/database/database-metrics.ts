import { Injectable } from '@nestjs/common';
import { DataSource, type EntitySubscriberInterface } from 'typeorm';
import { LabelledCounter } from '../../../kernel/metrics/labelled-counter.js';
import type { Label, Metric } from '../../../kernel/metrics/metric.js';
import { TimeHistogram } from '../../../kernel/metrics/time-histogram.js';

const result: Label<'ok' | 'failed'> = { name: 'result', values: ['ok', 'failed'] };
const QUERY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

type QueryOutcome = Parameters<NonNullable<EntitySubscriberInterface['afterQuery']>>[0];

/** Counts the queries of the database. */
@Injectable()
export class DatabaseMetrics implements EntitySubscriberInterface {
  private readonly queries = new LabelledCounter('ferry_database_queries_total', 'Queries of the database.', result);
  private readonly time = new TimeHistogram(
    'ferry_database_query_seconds',
    'Time of the queries that succeeded.',
    QUERY_SECONDS,
  );

  constructor(private readonly dataSource: DataSource) {}

  /** Counts from here on. */
  watch(): void {
    this.dataSource.subscribers.push(this);
  }

  afterQuery({ success, executionTime }: Pick<QueryOutcome, 'success' | 'executionTime'>): void {
    this.queries.add(1, success ? 'ok' : 'failed');
    if (success && executionTime !== undefined) this.time.observe(executionTime);
  }

  get all(): readonly Metric[] {
    return [this.queries, this.time];
  }
}
