import { Logger } from '@nestjs/common';
import { DataSource, type EntityTarget, type ObjectLiteral, type Repository } from 'typeorm';
import { openEmbeddedDatabase } from './embedded-database.js';

export interface StoreDatabase {
  readonly dataSource: DataSource;
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity>;
  close(): Promise<void>;
}

/** An embedded database in memory with all migrations, so that the spec of a store runs its SQL on a real Postgres. */
export async function openStoreDatabase(entities: readonly (new () => object)[]): Promise<StoreDatabase> {
  Logger.overrideLogger(false);
  const database = await openEmbeddedDatabase();
  const dataSource = await new DataSource({ ...database.options, entities: [...entities] }).initialize();
  return {
    dataSource,
    repository: (entity) => dataSource.getRepository(entity),
    close: async () => {
      await dataSource.destroy();
      await database.close();
    },
  };
}
