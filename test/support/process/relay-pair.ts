/** Two relays on one Postgres database. Without the server's programs the suite fails: nothing else can be shared. */
import { stoppableDatabase, type StoppableDatabase } from '../db/stoppable-database.js';
import { TestRelay } from './test-relay.js';

export class RelayPair {
  private constructor(
    readonly database: StoppableDatabase,
    readonly first: TestRelay,
    readonly second: TestRelay,
  ) {}

  /** Both have the same account. Each command-line token replaces the one before, so both use the newest. */
  static async start(env: Readonly<Record<string, string>> = {}): Promise<RelayPair> {
    const database = await stoppableDatabase();
    if (database.kind !== 'postgres') throw new Error('Postgres is not installed: apt-get install postgresql');
    // `embedded`: no database of its own on the server of DATABASE_URL, which the environment replaces anyway.
    const start = (): Promise<TestRelay> =>
      TestRelay.start({
        database: 'embedded',
        env: { ...database.env, FERRY_ALLOW_SHARED_DATABASE: 'on', ...env },
      });
    const first = await start();
    const second = await start();
    first.credentials = { ...second.credentials, base_url: first.baseUrl };
    return new RelayPair(database, first, second);
  }

  async stop(): Promise<void> {
    await Promise.all([this.first.stop(), this.second.stop()]);
    await this.database.remove();
  }
}
