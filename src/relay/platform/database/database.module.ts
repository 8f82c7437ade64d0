import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EmbeddedMaintenance } from './embedded-maintenance.store.js';
import type { OpenDatabase } from './open-database.js';

/** The data source of the relay. Features bring their entities with `TypeOrmModule.forFeature` and their migrations by `migrations/index.ts`. */
@Module({})
export class DatabaseModule {
  static forRoot(database: OpenDatabase): DynamicModule {
    return {
      module: DatabaseModule,
      // The database was reachable when it was opened: a retry here would only hide an error.
      imports: [TypeOrmModule.forRoot({ ...database.options, autoLoadEntities: true, retryAttempts: 0 })],
      providers: [EmbeddedMaintenance],
      exports: [EmbeddedMaintenance],
      global: true,
    };
  }
}
