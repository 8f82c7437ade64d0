/**
 * The data source for TypeORM's command line, which runs from source:
 * `node --import tsx node_modules/typeorm/cli.js -d ormconfig.ts migration:show` (or `migration:run`, `migration:generate`).
 * Stop the relay first when it uses the embedded database.
 */
import 'reflect-metadata';
import path from 'node:path';
import { DataSource } from 'typeorm';
import { acquireInstanceLock } from './src/kernel/instance-lock.js';
import { relayDirectory } from './src/relay/platform/config/resolve-relay-config.js';
import { migrationOptions } from './src/relay/platform/database/database-options.js';
import { reachDatabase } from './src/relay/platform/database/open-database.js';

const CONNECT_TIMEOUT_MS = 10_000;

const url = process.env['DATABASE_URL'];
const directory = relayDirectory(process.env);
if (url === undefined) await acquireInstanceLock(directory, 'relay', () => ({ pid: process.pid }));
const { target } = await reachDatabase(
  url === undefined ? { embedded: { dataDir: path.join(directory, 'pgdata') } } : { url },
  1,
);

export default new DataSource({
  ...migrationOptions(target, { queryTimeoutMs: 0, connectTimeoutMs: CONNECT_TIMEOUT_MS, poolSize: 1 }),
  logger: 'simple-console',
  logging: ['schema', 'migration', 'error'],
  // A glob, unlike in the relay: this file only ever runs from source.
  entities: ['src/relay/**/*.entity.ts'],
});
