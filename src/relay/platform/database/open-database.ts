import {
  migrationOptions,
  servingOptions,
  type DatabaseLimits,
  type DatabaseTarget,
  type PostgresOptions,
} from './database-options.js';
import { EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded-postgres.js';
import { runMigrations } from './run-migrations.js';

/** Which database: a Postgres address, or the embedded one. */
export type DatabaseLocation = { readonly url: string } | { readonly embedded: EmbeddedPostgresOptions };

export interface OpenDatabase {
  /** For `DatabaseModule.forRoot`. */
  readonly options: PostgresOptions;
  /** After the application has closed its data source. */
  close(): Promise<void>;
}

/** Starts the embedded database when it is the one, and brings the schema up to date. */
export async function openDatabase(location: DatabaseLocation, limits: DatabaseLimits): Promise<OpenDatabase> {
  const embedded = 'url' in location ? undefined : await EmbeddedPostgres.start(location.embedded);
  const target: DatabaseTarget =
    'url' in location
      ? { url: location.url, poolSize: limits.poolSize, extra: {} }
      : { url: undefined, poolSize: 1, extra: { stream: embedded?.createStream } };
  const close = async (): Promise<void> => {
    await embedded?.stop();
  };
  try {
    await runMigrations(migrationOptions(target, limits));
  } catch (error) {
    await close();
    throw error;
  }
  return { options: servingOptions(target, limits), close };
}
