/** CPU per API key verification, warm and cold, with the real store and a database with all migrations. */
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type * as credentials from '../../src/kernel/credential.js';
import type * as clocks from '../../src/kernel/clock.js';
import type * as ids from '../../src/kernel/ids.js';
import type * as accounts from '../../src/relay/accounts/account.entity.js';
import type * as entities from '../../src/relay/keys/api-key.entity.js';
import type * as stores from '../../src/relay/keys/api-keys.store.js';
import type * as verifiers from '../../src/relay/keys/key-verifier.js';
import type * as revocations from '../../src/relay/keys/key-revocations.js';
import type * as openDatabaseModule from '../../src/relay/platform/database/open-database.js';
import type * as trails from '../../src/relay/accounts/audit/audit-trail.store.js';
import { builtProgram } from '../built-program.js';

const KEYS = 400;
const WARM_ROUNDS = 500;
const LIMITS = { queryTimeoutMs: 10_000, connectTimeoutMs: 10_000, poolSize: 1 };
const CACHE = { freshMs: 3_600_000, staleMs: 3_600_000, maxEntries: 50_000, maxLoads: 256 };

Logger.overrideLogger(false);
await import('reflect-metadata');
const { DataSource: Source } = await import('typeorm');
const { createCredential, credentialDigest } = await builtProgram<typeof credentials>('kernel/credential.js');
const { systemClock } = await builtProgram<typeof clocks>('kernel/clock.js');
const { apiKeyIdOf, createAccountId } = await builtProgram<typeof ids>('kernel/ids.js');
const { AccountEntity } = await builtProgram<typeof accounts>('relay/accounts/account.entity.js');
const { ApiKeyEntity } = await builtProgram<typeof entities>('relay/keys/api-key.entity.js');
const { ApiKeysStore } = await builtProgram<typeof stores>('relay/keys/api-keys.store.js');
const { AuditTrail } = await builtProgram<typeof trails>('relay/accounts/audit/audit-trail.store.js');
const { KeyVerifier } = await builtProgram<typeof verifiers>('relay/keys/key-verifier.js');
const { KeyRevocations } = await builtProgram<typeof revocations>('relay/keys/key-revocations.js');
const { openDatabase } = await builtProgram<typeof openDatabaseModule>('relay/platform/database/open-database.js');

const database = await openDatabase({ embedded: {} }, LIMITS);
const source: DataSource = await new Source({
  ...database.options,
  entities: [AccountEntity, ApiKeyEntity],
}).initialize();
const accountId = createAccountId();
await source.getRepository(AccountEntity).insert({ id: accountId, name: 'bench' });
const keys = Array.from({ length: KEYS }, () => createCredential('api-key'));
await source.getRepository(ApiKeyEntity).insert(
  keys.map((key, index) => ({
    accountId,
    id: apiKeyIdOf(key.publicId),
    digest: credentialDigest(key),
    name: `key ${index}`,
    last4: key.text.slice(-4),
    scopes: ['inference' as const],
    clusterIds: null,
  })),
);

const store = new ApiKeysStore(source.getRepository(ApiKeyEntity), new AuditTrail());
let lookUps = 0;
const counted = {
  findForVerification: (id: ids.ApiKeyId) => {
    lookUps += 1;
    return store.findForVerification(id);
  },
};
const verifier = () => new KeyVerifier(counted, new KeyRevocations(), { record: () => undefined }, CACHE, systemClock);

async function microsPer(count: number, work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

const all = async (of: ReturnType<typeof verifier>): Promise<void> => {
  for (const { text } of keys) await of.verify(text);
};
// Twice, so that the JIT compiler has settled.
await all(verifier());
const warmed = verifier();
lookUps = 0;
const cold_micros = await microsPer(KEYS, () => all(warmed));
const cold_look_ups = lookUps / KEYS;
for (let round = 0; round < WARM_ROUNDS / 10; round += 1) await all(warmed);
lookUps = 0;
const warm_micros = await microsPer(KEYS * WARM_ROUNDS, async () => {
  for (let round = 0; round < WARM_ROUNDS; round += 1) await all(warmed);
});
process.send?.({ reply: { warm_micros, warm_look_ups: lookUps, cold_micros, cold_look_ups } });
await source.destroy();
await database.close();
process.on('disconnect', () => process.exit(0));
