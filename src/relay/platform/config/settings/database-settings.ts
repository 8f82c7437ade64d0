/** The database, and the key for signatures (docs/reference/data.md#database). */
import { z } from 'zod';
import type { Setting } from '../../../../kernel/settings/setting.js';
import { integer, MEBIBYTE, optionalText, setting } from './setting.js';

export const databaseSettings = {
  databaseUrl: setting(
    'DATABASE_URL',
    optionalText,
    undefined,
    'Postgres database to use instead of the embedded one.',
    {
      secret: true,
    },
  ),
  migrationsUrl: setting(
    'FERRY_MIGRATIONS_URL',
    optionalText,
    undefined,
    'Address of the same database that leads to Postgres itself, for migrations and for the lock of the running relays. Needed where `DATABASE_URL` leads through a pooler that shares connections between transactions. Default: `DATABASE_URL`.',
    { secret: true },
  ),
  databaseQueryTimeoutMs: setting(
    'FERRY_DATABASE_QUERY_TIMEOUT_MS',
    integer(100, 600_000),
    '3000',
    'Timeout of one query.',
  ),
  databaseConnectTimeoutMs: setting(
    'FERRY_DATABASE_CONNECT_TIMEOUT_MS',
    integer(100, 600_000),
    '2000',
    'Longest wait for a connection to Postgres, of which an attempt to connect takes at most three quarters. A start, and the one connection of the embedded database, wait at least 10 s.',
  ),
  databasePoolSize: setting(
    'FERRY_DATABASE_POOL_SIZE',
    integer(1, 200),
    '10',
    'Connections to Postgres. The embedded database always has one.',
  ),
  embeddedLogBytes: setting(
    'FERRY_EMBEDDED_LOG_BYTES',
    integer(16 * MEBIBYTE, 16_384 * MEBIBYTE),
    '67108864',
    'What the embedded database writes to its log (`pg_wal`) before it is moved into the tables. Looked at every 15 s. The files of the log take up to three times as much.',
  ),
  changesPollMs: setting(
    'FERRY_CHANGES_POLL_MS',
    integer(100, 600_000),
    '5000',
    'Interval at which a relay with `DATABASE_URL` reads what other relays on the database have changed, such as a revoked key.',
  ),
  operationsPollMs: setting(
    'FERRY_OPERATIONS_POLL_MS',
    integer(100, 600_000),
    '2000',
    'Interval at which a relay with `DATABASE_URL` reads which operations other relays on the database have changed.',
  ),
  secret: setting(
    'FERRY_SECRET',
    z.string().min(32, 'needs at least 32 characters').optional(),
    undefined,
    'Key for signatures and for encrypted stored responses. Generated beside the embedded database, required with `DATABASE_URL`.',
    { secret: true },
  ),
  bootstrapCredentialsFile: setting(
    'FERRY_BOOTSTRAP_CREDENTIALS_FILE',
    optionalText,
    undefined,
    'File that holds a working CLI token and API key after every start. A first account is created for them if there is none.',
  ),
} as const satisfies Record<string, Setting<unknown>>;
