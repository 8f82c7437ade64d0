import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountEntity } from '../../src/relay/accounts/account.entity.js';
import { CliTokenEntity } from '../../src/relay/accounts/cli-token.entity.js';
import { ConsoleLinkEntity } from '../../src/relay/accounts/console-links/console-link.entity.js';
import { DeviceLoginEntity } from '../../src/relay/accounts/device-login/device-login.entity.js';
import { InviteEntity } from '../../src/relay/accounts/invites/invite.entity.js';
import { RemovedPersonEntity } from '../../src/relay/accounts/users/removed-person.entity.js';
import { SessionEntity } from '../../src/relay/accounts/sessions/session.entity.js';
import { SignInFailureEntity } from '../../src/relay/accounts/passwords/sign-in-failure.entity.js';
import { UserEntity } from '../../src/relay/accounts/users/user.entity.js';
import { AuditEventEntity } from '../../src/relay/accounts/audit/audit-event.entity.js';
import { ClusterEntity } from '../../src/relay/clusters/cluster.entity.js';
import { JoinTokenEntity } from '../../src/relay/clusters/join-token.entity.js';
import { ModelEntity } from '../../src/relay/inventory/model.entity.js';
import { NodeModelEntity } from '../../src/relay/inventory/node-model.entity.js';
import { IdempotentRequestEntity } from '../../src/relay/platform/api/idempotency/idempotent-request.entity.js';
import { ApiKeyEntity } from '../../src/relay/keys/api-key.entity.js';
import { DeviceCodeEntity } from '../../src/relay/nodes/device-codes/device-code.entity.js';
import { UsedNonceEntity } from '../../src/relay/nodes/handshake/used-nonce.entity.js';
import { NodeSampleEntity } from '../../src/relay/nodes/samples/node-sample.entity.js';
import { NodeEntity } from '../../src/relay/nodes/node.entity.js';
import { RequestExplanationEntity } from '../../src/relay/routing/explain/request-explanation.entity.js';
import { LearnedRateEntity } from '../../src/relay/routing/learned-rates/learned-rate.entity.js';
import { OperationEntity } from '../../src/relay/operations/operation.entity.js';
import { RequestLogEntity } from '../../src/relay/usage/request-log.entity.js';
import { UsageHourEntity } from '../../src/relay/usage/usage-hour.entity.js';
import { UsageNameEntity } from '../../src/relay/usage/usage-name.entity.js';
import { openStoreDatabase, type StoreDatabase } from '../support/db/store-database.js';

const entities = [
  AccountEntity,
  CliTokenEntity,
  ConsoleLinkEntity,
  UserEntity,
  SessionEntity,
  InviteEntity,
  SignInFailureEntity,
  RemovedPersonEntity,
  DeviceLoginEntity,
  ClusterEntity,
  JoinTokenEntity,
  ApiKeyEntity,
  NodeEntity,
  NodeSampleEntity,
  UsedNonceEntity,
  ModelEntity,
  NodeModelEntity,
  OperationEntity,
  LearnedRateEntity,
  RequestExplanationEntity,
  RequestLogEntity,
  UsageHourEntity,
  UsageNameEntity,
  AuditEventEntity,
  DeviceCodeEntity,
  IdempotentRequestEntity,
];

let database: StoreDatabase;

beforeAll(async () => {
  database = await openStoreDatabase(entities);
}, 120_000);

afterAll(async () => {
  await database.close();
});

describe('migrations', () => {
  it('create exactly the tables of the entities', async () => {
    const changes = await database.dataSource.driver.createSchemaBuilder().log();
    expect(changes.upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('create no table without an entity', async () => {
    const tables = await database.dataSource.query<{ name: string }[]>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY name`,
    );
    const known = [...database.dataSource.entityMetadatas.map(({ tableName }) => tableName), 'migration'];
    expect(tables.map(({ name }) => name)).toEqual(known.sort());
  });
});
