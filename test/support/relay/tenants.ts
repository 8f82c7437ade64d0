/** Accounts with one of everything that has an id, and with every kind of credential. */
import { randomBytes } from 'node:crypto';
import { createCredential } from '../../../src/kernel/credential.js';
import {
  apiKeyIdOf,
  cliTokenIdOf,
  createAccountId,
  createAuditEventId,
  createClusterId,
  createJoinTokenId,
  createNodeId,
  createOperationId,
  createRequestId,
  createUserId,
  inviteIdOf,
  sessionIdOf,
  type AccountId,
} from '../../../src/kernel/ids.js';
import { ResponseIds } from '../../../src/kernel/response-id.js';
import { AccountEntity } from '../../../src/relay/accounts/account.entity.js';
import { CliTokensService } from '../../../src/relay/accounts/cli-tokens.service.js';
import { roles, type Role } from '../../../src/relay/platform/access/principal.js';
import { SessionsService } from '../../../src/relay/accounts/sessions/sessions.service.js';
import { UsersStore } from '../../../src/relay/accounts/users/users.store.js';
import { ClusterEntity } from '../../../src/relay/clusters/cluster.entity.js';
import { NodeEntity } from '../../../src/relay/nodes/node.entity.js';
import { OperationEntity } from '../../../src/relay/operations/operation.entity.js';
import type { RelayHarness } from './relay.harness.js';

/** Ids that requests can name. */
export interface TenantIds {
  readonly account: string;
  readonly user: string;
  readonly session: string;
  readonly cliToken: string;
  readonly joinToken: string;
  readonly invite: string;
  readonly key: string;
  readonly keyName: string;
  readonly cluster: string;
  readonly node: string;
  readonly operation: string;
  readonly response: string;
  readonly request: string;
  readonly auditEvent: string;
}

/** Headers by the name of the credential. */
export type Credentials = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface Tenant {
  readonly ids: TenantIds;
  readonly credentials: Credentials;
}

const LIFETIME_MS = 3_600_000;
const bearer = (text: string): Record<string, string> => ({ authorization: `Bearer ${text}` });

/** Valid ids that do not exist. */
export function absentIds(relay: RelayHarness): TenantIds {
  const account = createAccountId();
  const node = createNodeId();
  return {
    account,
    user: createUserId(),
    session: sessionIdOf(createCredential('session').publicId),
    cliToken: cliTokenIdOf(createCredential('cli-token').publicId),
    joinToken: createJoinTokenId(),
    invite: inviteIdOf(createCredential('invite').publicId),
    key: apiKeyIdOf(createCredential('api-key').publicId),
    keyName: 'nobody has a key of this name',
    cluster: createClusterId(),
    node,
    operation: createOperationId(),
    response: new ResponseIds(relay.config.secret).create(account, node),
    request: createRequestId(),
    auditEvent: createAuditEventId(),
  };
}

/** @param name also the name of its key */
export async function createTenant(relay: RelayHarness, name: string): Promise<Tenant> {
  const absent = absentIds(relay);
  const account = absent.account as AccountId;
  const { manager } = relay.database;
  await manager.insert(AccountEntity, { id: account, name });
  const people = await createPeople(relay, account, name);
  const owner = people['cli token of an owner'];
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const response = await fetch(`${relay.url}/api/${path}`, {
      method: 'POST',
      headers: { ...owner, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${path}: ${String(response.status)} ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  };
  const key = await post('keys', { name: `key of ${name}` });
  const cluster = await post('clusters', { name: `cluster of ${name}` });
  const invite = await post('invites', {});
  const joinToken = await post('join-tokens', {});
  const ids: TenantIds = {
    ...absent,
    user: people.memberId,
    session: people.sessionId,
    cliToken: people.cliTokenId,
    joinToken: joinToken['join_token_id']!,
    invite: invite['invite_id']!,
    key: key['key_id']!,
    keyName: key['name']!,
    cluster: cluster['cluster_id']!,
  };
  await createNode(relay, ids);
  return {
    ids,
    credentials: {
      'no credential': {},
      'API key': bearer(key['key']!),
      'join token': bearer(joinToken['join_token']!),
      'node key': { authorization: `FerryNode id=${ids.node},nonce=${randomBytes(16).toString('hex')},sig=AAAA` },
      ...people.credentials,
    },
  };
}

interface People {
  readonly memberId: string;
  /** Of the member. */
  readonly sessionId: string;
  readonly cliTokenId: string;
  readonly credentials: Credentials;
  readonly 'cli token of an owner': Readonly<Record<string, string>>;
}

async function createPeople({ app, database }: RelayHarness, accountId: AccountId, name: string): Promise<People> {
  const credentials: Record<string, Record<string, string>> = {};
  const ids: Partial<Record<Role, string>> = {};
  const sessionIds: Partial<Record<Role, string>> = {};
  const cliTokenIds: Partial<Record<Role, string>> = {};
  for (const role of roles) {
    await database.transaction(async (manager) => {
      const user = await app.get(UsersStore, { strict: false }).insert(manager, {
        accountId,
        email: `${role}@${name}.test`,
        name: `${role} of ${name}`,
        role,
        passwordHash: null,
      });
      const token = await app
        .get(CliTokensService, { strict: false })
        .issue(manager, accountId, { userId: user.id, role, name: `${role}'s laptop`, lifetimeMs: LIFETIME_MS });
      const session = await app
        .get(SessionsService, { strict: false })
        .open(manager, user, { ip: '192.0.2.1', userAgent: null });
      ids[role] = user.id;
      cliTokenIds[role] = token.id;
      sessionIds[role] = session.principal.credential.id;
      credentials[`CLI token of ${role}`] = bearer(token.text);
      credentials[`session of ${role}`] = {
        cookie: `__Host-ferry_session=${session.text}`,
        'sec-fetch-site': 'same-origin',
      };
    });
  }
  return {
    memberId: ids.member!,
    sessionId: sessionIds.member!,
    cliTokenId: cliTokenIds.member!,
    credentials,
    'cli token of an owner': credentials['CLI token of owner']!,
  };
}

async function createNode({ database }: RelayHarness, ids: TenantIds): Promise<void> {
  const accountId = ids.account as AccountId;
  const { id: clusterId } = await database.manager.findOneByOrFail(ClusterEntity, { accountId });
  await database.manager.insert(NodeEntity, {
    accountId,
    id: ids.node as NodeEntity['id'],
    clusterId,
    name: 'desk',
    publicKey: randomBytes(32),
    state: 'active',
    platform: 'linux',
    agentVersion: '0.1.0',
  });
  const at = new Date();
  await database.manager.insert(OperationEntity, {
    accountId,
    id: ids.operation as OperationEntity['id'],
    nodeId: ids.node as NodeEntity['id'],
    nodeName: 'desk',
    kind: 'load',
    subject: 'model',
    modelKey: 'model',
    state: 'queued',
    createdAt: at,
    updatedAt: at,
  });
}
