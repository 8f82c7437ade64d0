import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { DatabaseInUseError } from '../../../kernel/database-in-use-error.js';

/** Advisory lock of the running relays on one database. */
const RELAY_LOCK = 7_238_110_515;
/** A relay that was restarted finds the connection of the process before still open for a moment. */
const RETRY_MS = 500;
const CHECK_MS = 5_000;

/** Identifies a session of Postgres. A process id alone does not: they are used again. */
interface LockSession {
  readonly pid: number;
  readonly started: string;
}

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
  /** The last one that had the lock. */
  private session: LockSession | undefined;
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
      if (this.client === null) this.report((await this.take()) || (await this.takeFromItself()));
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

  /** @returns false when another session has it. @throws Error when the database cannot be reached */
  private async take(): Promise<boolean> {
    const { mode } = this.options;
    const client = await this.connect();
    const name = mode === 'exclusive' ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared';
    let taken = false;
    try {
      const { rows } = await client.query<LockSession & { readonly taken: boolean }>(
        `SELECT ${name}($1) AS taken, pid, backend_start::text AS started FROM pg_stat_activity WHERE pid = pg_backend_pid()`,
        [RELAY_LOCK],
      );
      const [session] = rows;
      taken = session?.taken === true;
      if (taken) {
        this.client = client;
        this.session = session;
      }
      return taken;
    } finally {
      if (!taken) await client.end().catch(() => undefined);
    }
  }

  /** Behind a network that has lost the connection, Postgres keeps its session, with the lock, for as long as it does not notice. */
  private async takeFromItself(): Promise<boolean> {
    if (this.session === undefined) return false;
    const { pid, started } = this.session;
    const client = await this.connect();
    try {
      const { rowCount } = await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND backend_start::text = $2',
        [pid, started],
      );
      if (rowCount === 0) return false;
    } finally {
      await client.end().catch(() => undefined);
    }
    this.session = undefined;
    await delay(RETRY_MS);
    return this.take();
  }

  private async connect(): Promise<pg.Client> {
    const { url, connectTimeoutMs, queryTimeoutMs } = this.options;
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
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  private async disconnect(): Promise<void> {
    const { client } = this;
    this.client = null;
    await client?.end().catch(() => undefined);
  }
}
