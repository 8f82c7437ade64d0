import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EmbeddedMaintenance } from './embedded-maintenance.store.js';
import type { OpenDatabase } from './open-database.js';
import { isConnectTimeout } from './serving-client.js';

/**
 * Of the first connection. Each is as long as a request waits, 1.5 s, which a busy database may not keep; together they are about as long as
 * the migrations wait, which came before.
 */
const START_ATTEMPTS = 6;

/** The data source of the relay. Features bring their entities with `TypeOrmModule.forFeature` and their migrations by `migrations/index.ts`. */
@Module({})
export class DatabaseModule {
  static forRoot(database: OpenDatabase): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRoot({
          ...database.options,
          autoLoadEntities: true,
          retryAttempts: START_ATTEMPTS,
          retryDelay: 0,
          // The database was reachable when it was opened: another retry would only hide an error.
          toRetry: isConnectTimeout,
        }),
      ],
      providers: [EmbeddedMaintenance],
      exports: [EmbeddedMaintenance],
      global: true,
    };
  }
}
