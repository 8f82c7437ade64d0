import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { DatabaseInUseError } from '../../../kernel/database-in-use-error.js';

/** Advisory lock of the running relays on one database. */
const RELAY_LOCK = 7_238_110_515;
/** A relay that was restarted finds the connection of the process before still open for a moment. */
const RETRY_MS = 500;
const CHECK_MS = 5_000;

/** Alone on the database; beside others that say the same; or beside any, because a person allows it. */
export type RelayLockMode = 'exclusive' | 'shared' | 'unchecked';

export interface RelayLockOptions {
  readonly url: string;
  readonly mode: RelayLockMode;
  readonly connectTimeoutMs: number;
  readonly queryTimeoutMs: number;
  /** How long the start waits for another relay to end. */
  readonly waitMs: number;
}

/**
 * Held on a connection of its own while the relay runs, because two relays without a bus would each serve only the nodes that are connected
 * to them. It ends with the connection, so a killed relay leaves none behind. After an outage of the database it is taken again.
 */
export class RelayLock {
  private readonly logger = new Logger('Database');
  private client: pg.Client | null = null;
  private timer: NodeJS.Timeout | undefined;
  private checking: Promise<void> = Promise.resolve();
  private closed = false;
  private reported = false;

  private constructor(private readonly options: RelayLockOptions) {}

  /** @throws DatabaseInUseError when another relay uses the database · Error when it cannot be reached */
  static async acquire(options: RelayLockOptions): Promise<RelayLock> {
    const lock = new RelayLock(options);
    const attempts = Math.ceil(options.waitMs / RETRY_MS);
    for (let attempt = 0; !(await lock.take()); attempt += 1) {
      if (options.mode === 'unchecked') break;
      if (attempt >= attempts) throw new DatabaseInUseError();
      await delay(RETRY_MS);
    }
    lock.schedule();
    return lock;
  }

  async release(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.checking;
    await this.disconnect();
  }

  private schedule(): void {
    if (this.closed) return;
    this.timer = setTimeout(() => {
      this.checking = this.check();
    }, CHECK_MS).unref();
  }

  private async check(): Promise<void> {
    try {
      if (this.client === null) this.report(await this.take());
      else await this.client.query('SELECT 1');
    } catch {
      await this.disconnect();
    }
    this.schedule();
  }

  /** The relay goes on: its nodes and clients would be lost with it. */
  private report(taken: boolean): void {
    if (!taken && !this.reported && this.options.mode !== 'unchecked')
      this.logger.error('another relay has begun to use the database of DATABASE_URL: stop one of them');
    this.reported = !taken;
  }

  /** @returns false when another relay has it. @throws Error when the database cannot be reached */
  private async take(): Promise<boolean> {
    const { url, mode, connectTimeoutMs, queryTimeoutMs } = this.options;
    const client = new pg.Client({
      connectionString: url,
      application_name: 'ferry lock',
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: queryTimeoutMs,
      keepAlive: true,
    });
    client.on('error', () => {
      if (this.client === client) this.client = null;
    });
    const name = mode === 'exclusive' ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared';
    let taken = false;
    try {
      await client.connect();
      const { rows } = await client.query<{ taken: boolean }>(`SELECT ${name}($1) AS taken`, [RELAY_LOCK]);
      taken = rows[0]?.taken === true;
      if (taken) this.client = client;
      return taken;
    } finally {
      if (!taken) await client.end().catch(() => undefined);
    }
  }

  private async disconnect(): Promise<void> {
    const { client } = this;
    this.client = null;
    await client?.end().catch(() => undefined);
  }
}
