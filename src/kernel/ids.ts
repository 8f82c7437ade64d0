/** Branded identifiers: creation and recognition. The prefix shows the kind of object. */
import { randomBytes } from 'node:crypto';
import { systemClock, type Clock } from './clock.js';

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type AccountId = Branded<'AccountId'>;
export type ApiKeyId = Branded<'ApiKeyId'>;
export type CliTokenId = Branded<'CliTokenId'>;
export type ClusterId = Branded<'ClusterId'>;
export type JoinTokenId = Branded<'JoinTokenId'>;
export type NodeId = Branded<'NodeId'>;
/** One install, load, unload or remove; the node knows it by the same id. */
export type OperationId = Branded<'OperationId'>;
export type UserId = Branded<'UserId'>;
export type SessionId = Branded<'SessionId'>;
export type InviteId = Branded<'InviteId'>;
export type ConsoleLinkId = Branded<'ConsoleLinkId'>;
export type AuditEventId = Branded<'AuditEventId'>;
export type RequestId = Branded<'RequestId'>;
/** One relay process, new at every start. */
export type ReplicaId = Branded<'ReplicaId'>;
/** A relay's data directory: the same after a restart on it. */
export type InstanceId = Branded<'InstanceId'>;
/** `mdl_` + 16 hex: stable across restarts, renames and nodes (docs/reference/inventory.md#model-identity). */
export type ModelSelector = Branded<'ModelSelector'>;

const prefixes = {
  account: 'acc',
  apiKey: 'key',
  cliToken: 'cli',
  cluster: 'cl',
  joinToken: 'join',
  node: 'nd',
  operation: 'op',
  request: 'req',
  user: 'usr',
  session: 'ses',
  invite: 'inv',
  consoleLink: 'lnk',
  auditEvent: 'evt',
  replica: 'rep',
  instance: 'ins',
} as const;

const RANDOM_BYTES = 16;
/** Random bytes are drawn in bulk: one call of the generator per request id would cost 5 % of a small request. */
const POOL_BYTES = 256 * RANDOM_BYTES;
let pool: Buffer = Buffer.alloc(0);
let poolUsedBytes = 0;

/** @returns where the next random bytes begin in the pool */
function draw(): number {
  if (poolUsedBytes === pool.length) {
    pool = randomBytes(POOL_BYTES);
    poolUsedBytes = 0;
  }
  const from = poolUsedBytes;
  poolUsedBytes += RANDOM_BYTES;
  return from;
}

const hexFrom = (from: number): string => pool.toString('hex', from, from + RANDOM_BYTES);
const create = (prefix: string): string => `${prefix}_${hexFrom(draw())}`;

export const createAccountId = (): AccountId => create(prefixes.account) as AccountId;
export const createClusterId = (): ClusterId => create(prefixes.cluster) as ClusterId;
export const createJoinTokenId = (): JoinTokenId => create(prefixes.joinToken) as JoinTokenId;
export const createNodeId = (): NodeId => create(prefixes.node) as NodeId;
export const createOperationId = (): OperationId => create(prefixes.operation) as OperationId;
export const createUserId = (): UserId => create(prefixes.user) as UserId;
export const createAuditEventId = (): AuditEventId => create(prefixes.auditEvent) as AuditEventId;
export const createRequestId = (): RequestId => create(prefixes.request) as RequestId;
export const createReplicaId = (): ReplicaId => create(prefixes.replica) as ReplicaId;
export const createInstanceId = (): InstanceId => create(prefixes.instance) as InstanceId;

/** Digits of a replica's id with which the ids of its requests begin: one byte. */
const REPLICA_DIGITS = 2;
const replicaDigitsOf = (id: ReplicaId | RequestId): string => {
  const from = id.indexOf('_') + 1;
  return id.slice(from, from + REPLICA_DIGITS);
};

/** Six bytes hold Unix time in milliseconds until the year 10889. */
const TIME_BYTES = 6;

/**
 * Creates request ids of the first byte of their replica's id, the time, and 9 random bytes. With the time in front, an index over them
 * grows at one place, while random ones would touch another page for nearly every request.
 */
export function requestIdsOf(replicaId: ReplicaId, clock: Clock = systemClock): () => RequestId {
  const firstByte = Number.parseInt(replicaDigitsOf(replicaId), 16);
  return () => {
    const from = draw();
    pool[from] = firstByte;
    pool.writeUIntBE(clock.wallMs(), from + 1, TIME_BYTES);
    return `${prefixes.request}_${hexFrom(from)}` as RequestId;
  };
}

/** False: the request was served by another replica. True: by this one, or by one of the few with the same first byte. */
export const mayHaveServed = (replicaId: ReplicaId, requestId: RequestId): boolean =>
  replicaDigitsOf(replicaId) === replicaDigitsOf(requestId);

/** The id of a credential is the public part of its text, so that its holder can find it in a list. */
export const apiKeyIdOf = (publicId: string): ApiKeyId => `${prefixes.apiKey}_${publicId}` as ApiKeyId;
export const sessionIdOf = (publicId: string): SessionId => `${prefixes.session}_${publicId}` as SessionId;
export const inviteIdOf = (publicId: string): InviteId => `${prefixes.invite}_${publicId}` as InviteId;
export const consoleLinkIdOf = (publicId: string): ConsoleLinkId =>
  `${prefixes.consoleLink}_${publicId}` as ConsoleLinkId;
export const cliTokenIdOf = (publicId: string): CliTokenId => `${prefixes.cliToken}_${publicId}` as CliTokenId;

/** The shape `X-Cluster-ID` must have before it is used in a log line or in SQL (docs/reference/security.md#headers). */
export const CLUSTER_ID = /^cl_[0-9A-Za-z]{8,40}$/;
export const isClusterId = (text: string): text is ClusterId => CLUSTER_ID.test(text);
export const isNodeId = (text: string): text is NodeId => /^nd_[0-9a-f]{32}$/.test(text);
export const isOperationId = (text: string): text is OperationId => /^op_[0-9a-f]{32}$/.test(text);
export const isAccountId = (text: string): text is AccountId => /^acc_[0-9a-f]{32}$/.test(text);
export const isUserId = (text: string): text is UserId => /^usr_[0-9a-f]{32}$/.test(text);
export const isSessionId = (text: string): text is SessionId => /^ses_[0-9A-Za-z]{12}$/.test(text);
export const isCliTokenId = (text: string): text is CliTokenId => /^cli_[0-9A-Za-z]{12}$/.test(text);
export const isJoinTokenId = (text: string): text is JoinTokenId => /^join_[0-9a-f]{32}$/.test(text);
export const isInviteId = (text: string): text is InviteId => /^inv_[0-9A-Za-z]{12}$/.test(text);
export const isReplicaId = (text: string): text is ReplicaId => /^rep_[0-9a-f]{32}$/.test(text);
export const isInstanceId = (text: string): text is InstanceId => /^ins_[0-9a-f]{32}$/.test(text);
export const isModelSelector = (text: string): text is ModelSelector => /^mdl_[0-9a-f]{16}$/.test(text);
