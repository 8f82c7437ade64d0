import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntitySubscriberInterface } from 'typeorm';
import { systemClock } from '../../../kernel/clock.js';
import { isInsufficientStorage } from '../http/errors/database-unavailable.js';
import { ReadinessRegistry, type Readiness } from '../lifecycle/readiness-registry.js';

const FULL = 'insufficient_storage: the database cannot write because its disk is full';
/** A full disk fails every write of every request. */
const LOG_AT_MOST_EVERY_MS = 60_000;
/** On a full disk some writes still succeed, into pages that exist: the state must not change with each of them. */
const SETTLED_MS = 10_000;
const WRITE = /^\s*(INSERT|UPDATE|DELETE)\b/i;

type QueryOutcome = Parameters<NonNullable<EntitySubscriberInterface['afterQuery']>>[0];

/** Readiness of the database: it answers within the query timeout, and it can write, which the outcome of every query shows. */
@Injectable()
export class DatabaseReadiness implements OnModuleInit, EntitySubscriberInterface {
  private readonly logger = new Logger('Database');
  private readonly clock = systemClock;
  private fullAtMs: number | undefined;
  private loggedAtMs = -Infinity;

  constructor(
    private readonly dataSource: DataSource,
    private readonly readiness: ReadinessRegistry,
  ) {}

  onModuleInit(): void {
    this.dataSource.subscribers.push(this);
    this.readiness.register({ name: 'database', check: () => this.check() });
  }

  afterQuery({ success, query, error }: Pick<QueryOutcome, 'success' | 'query' | 'error'>): void {
    if (!success) {
      if (isInsufficientStorage(error)) this.noteFull(error);
    } else if (this.fullAtMs !== undefined && WRITE.test(query)) {
      if (this.clock.monotonicMs() - this.fullAtMs < SETTLED_MS) return;
      this.fullAtMs = undefined;
      this.loggedAtMs = -Infinity;
      this.logger.log('the database can write again');
    }
  }

  private async check(): Promise<Readiness> {
    try {
      await this.dataSource.query('SELECT 1');
    } catch (error) {
      return { status: 'down', message: isInsufficientStorage(error) ? FULL : 'the database does not answer' };
    }
    return this.fullAtMs === undefined ? { status: 'up' } : { status: 'degraded', message: FULL };
  }

  private noteFull(error: unknown): void {
    const nowMs = this.clock.monotonicMs();
    this.fullAtMs = nowMs;
    if (nowMs - this.loggedAtMs < LOG_AT_MOST_EVERY_MS) return;
    this.loggedAtMs = nowMs;
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    this.logger.error(FULL, { code: 'insufficient_storage', sqlstate: code, error: String(message) });
  }
}
