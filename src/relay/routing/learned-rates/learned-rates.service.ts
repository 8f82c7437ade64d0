import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { systemClock } from '../../../kernel/clock.js';
import type { RestoredRates } from '../prediction/completion-predictor.js';
import { RoutingStats } from '../selection/routing-stats.js';
import { LearnedRatesStore } from './learned-rates.store.js';

const EVERY_MS = 60_000;
/** Older observations have decayed to the prior. */
const LEAST_MS = 6 * 3_600_000;
const READ_ROWS = 20_000;
/** Bounds one statement. Rates that are left out are written when they are observed again. */
const WRITTEN_ROWS = 5_000;

/**
 * Stores every minute what was learned of the speed of nodes, and reads it at the start of the relay. Health is not stored: the new link of
 * a node is a new start. A failure costs exactness only.
 */
@Injectable()
export class LearnedRatesService implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('Routing');
  private timer: NodeJS.Timeout | undefined;
  /** Monotonic. */
  private savedAtMs = -Infinity;

  constructor(
    private readonly stats: RoutingStats,
    private readonly store: LearnedRatesStore,
  ) {}

  async onModuleInit(): Promise<void> {
    try {
      this.stats.restore(await this.store.newest(LEAST_MS, READ_ROWS));
    } catch (error) {
      this.logger.warn('learned speeds not read', { error: String(error) });
    }
    this.savedAtMs = systemClock.monotonicMs();
    this.timer = setInterval(() => void this.save(), EVERY_MS).unref();
  }

  /** Before the database is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.save();
  }

  /** Never rejects. Models without a request since the last time are not written. */
  async save(): Promise<void> {
    const nowMs = systemClock.monotonicMs();
    const learned: RestoredRates[] = [];
    for (const rates of this.stats.learnedSince(this.savedAtMs)) if (learned.push(rates) >= WRITTEN_ROWS) break;
    try {
      if (learned.length > 0) await this.store.save(learned);
      await this.store.prune(LEAST_MS);
      this.savedAtMs = nowMs;
    } catch (error) {
      this.logger.warn('learned speeds not stored', { error: String(error) });
    }
  }
}
