/** Inserts another account into the embedded database of a stopped relay. */
import path from 'node:path';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { createCredential, credentialDigest } from '../../../src/kernel/credential.js';
import { apiKeyIdOf, cliTokenIdOf, createAccountId, createClusterId } from '../../../src/kernel/ids.js';
import { openDatabase } from '../../../src/relay/platform/database/open-database.js';
import type { Credentials } from '../../support/process/relay-client.js';
import type { TestRelay } from '../../support/process/test-relay.js';

const LIMITS = { queryTimeoutMs: 10_000, connectTimeoutMs: 10_000, poolSize: 1 };
const NAME = 'second';

export async function addAccount(relay: TestRelay): Promise<Credentials> {
  Logger.overrideLogger(false);
  const [account, cluster] = [createAccountId(), createClusterId()];
  const [token, key] = [createCredential('cli-token'), createCredential('api-key')];
  const database = await openDatabase(
    { embedded: { dataDir: path.join(relay.dataDirectory, 'relay/pgdata') } },
    LIMITS,
  );
  const source = await new DataSource(database.options).initialize();
  await source.query('INSERT INTO account (id, name) VALUES ($1, $2)', [account, NAME]);
  await source.query('INSERT INTO cluster (account_id, id, name) VALUES ($1, $2, $3)', [account, cluster, NAME]);
  await source.query(
    'INSERT INTO cli_token (account_id, id, digest, name, last4, bootstrap) VALUES ($1, $2, $3, $4, $5, true)',
    [account, cliTokenIdOf(token.publicId), credentialDigest(token), NAME, token.text.slice(-4)],
  );
  await source.query(
    'INSERT INTO api_key (account_id, id, digest, name, last4, scopes) VALUES ($1, $2, $3, $4, $5, $6)',
    [account, apiKeyIdOf(key.publicId), credentialDigest(key), NAME, key.text.slice(-4), ['inference', 'models:read']],
  );
  await source.destroy();
  await database.close();
  return {
    base_url: relay.baseUrl,
    account_id: account,
    cluster_id: cluster,
    cli_token: token.text,
    api_key: key.text,
  };
}
