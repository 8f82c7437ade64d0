import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountEntity } from '../../src/relay/accounts/account.entity.js';
import { CliTokenEntity } from '../../src/relay/accounts/cli-token.entity.js';
import { ClusterEntity } from '../../src/relay/clusters/cluster.entity.js';
import { JoinTokenEntity } from '../../src/relay/clusters/join-token.entity.js';
import { ModelEntity } from '../../src/relay/inventory/model.entity.js';
import { NodeModelEntity } from '../../src/relay/inventory/node-model.entity.js';
import { ApiKeyEntity } from '../../src/relay/keys/api-key.entity.js';
import { UsedNonceEntity } from '../../src/relay/nodes/handshake/used-nonce.entity.js';
import { NodeEntity } from '../../src/relay/nodes/node.entity.js';
import { openStoreDatabase, type StoreDatabase } from '../support/store-database.js';

const entities = [
  AccountEntity,
  CliTokenEntity,
  ClusterEntity,
  JoinTokenEntity,
  ApiKeyEntity,
  NodeEntity,
  UsedNonceEntity,
  ModelEntity,
  NodeModelEntity,
];

let database: StoreDatabase;

beforeAll(async () => {
  database = await openStoreDatabase(entities);
}, 120_000);

afterAll(async () => {
  await database.close();
});

describe('migrations', () => {
  it('make exactly the tables that the entities describe', async () => {
    const changes = await database.dataSource.driver.createSchemaBuilder().log();
    expect(changes.upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('make no table that has no entity', async () => {
    const tables = await database.dataSource.query<{ name: string }[]>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY name`,
    );
    const known = [...database.dataSource.entityMetadatas.map(({ tableName }) => tableName), 'migration'];
    expect(tables.map(({ name }) => name)).toEqual(known.sort());
  });
});
