import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { systemClock, type Clock } from '../../../kernel/clock.js';
import { RELAY_CONFIG, type RelayConfig } from '../config/relay-config.js';

const LOOK_EVERY_MS = 15_000;
const VACUUM_EVERY_MS = 3_600_000;
/** After the checkpoint of a backup: the next one removes what its copy needs of the log. */
const COPY_WITHIN_MS = 900_000;
/** … unless the log is so many times its limit: a full disk is worse than a failed backup. */
const MAX_LOGS = 16;

/**
 * What background processes do in a Postgres server. The embedded database is one process without any: it would keep its log (`pg_wal`) until it
 * closes, and never use the space of deleted rows again.
 */
@Injectable()
export class EmbeddedMaintenance implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Database');
  private readonly clock: Clock = systemClock;
  private readonly logLimitBytes: number;
  private readonly isEmbedded: boolean;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private vacuumedAtMs: number;
  private copiedFromMs = -Infinity;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(RELAY_CONFIG) { settings }: Pick<RelayConfig, 'settings'>,
  ) {
    this.logLimitBytes = settings.embeddedLogBytes;
    this.isEmbedded = settings.databaseUrl === undefined;
    this.vacuumedAtMs = this.clock.monotonicMs();
  }

  onApplicationBootstrap(): void {
    if (!this.isEmbedded) return;
    this.timer = setInterval(() => {
      this.running ??= this.maintain().finally(() => (this.running = undefined));
    }, LOOK_EVERY_MS).unref();
  }

  /** Before `onApplicationShutdown`, which closes the database. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /**
   * For a copy of the files: writes what the database has in memory into them, and begins a new log. Takes milliseconds, whatever the size
   * of the database: its buffers are small (pglite.worker.js). The copy has {@link COPY_WITHIN_MS}.
   */
  async checkpointForCopy(): Promise<void> {
    this.copiedFromMs = this.clock.monotonicMs();
    await this.checkpoint();
  }

  /** Never rejects: the next time comes soon. */
  async maintain(): Promise<void> {
    try {
      const nowMs = this.clock.monotonicMs();
      if (await this.isLogTooLong(nowMs)) await this.checkpoint();
      if (nowMs - this.vacuumedAtMs < VACUUM_EVERY_MS) return;
      this.vacuumedAtMs = nowMs;
      // Reads only pages that have changed since the last time.
      await this.dataSource.query('VACUUM');
    } catch (error) {
      this.logger.warn('maintenance of the embedded database failed', { error: String(error) });
    }
  }

  private async isLogTooLong(nowMs: number): Promise<boolean> {
    const [{ bytes }] = await this.dataSource.query<[{ bytes: number }]>(
      `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 AS bytes FROM pg_control_checkpoint()`,
    );
    const isCopied = nowMs - this.copiedFromMs < COPY_WITHIN_MS;
    return bytes >= this.logLimitBytes * (isCopied ? MAX_LOGS : 1);
  }

  private async checkpoint(): Promise<void> {
    await this.dataSource.query('CHECKPOINT');
  }
}
