import path from 'node:path';
import type { RelaySettings } from '../config/relay-settings.js';
import type { DatabaseLimits } from './database-options.js';
import type { DatabaseLocation } from './open-database.js';

export const databaseLocation = (settings: RelaySettings, dataDirectory: string): DatabaseLocation =>
  settings.databaseUrl === undefined
    ? { embedded: { dataDir: path.join(dataDirectory, 'pgdata') } }
    : { url: settings.databaseUrl, directUrl: settings.migrationsUrl };

export const databaseLimits = (settings: RelaySettings): DatabaseLimits => ({
  queryTimeoutMs: settings.databaseQueryTimeoutMs,
  connectTimeoutMs: settings.databaseConnectTimeoutMs,
  poolSize: settings.databasePoolSize,
});
