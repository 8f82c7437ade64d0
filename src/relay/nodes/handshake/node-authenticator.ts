import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  type AccountId,
  type ClusterId,
  type NodeId,
  type ReplicaId,
  isNodeId,
  isReplicaId,
} from '../../../kernel/ids.js';
import { LINK_CHECK_SUBPROTOCOL, LINK_SUBPROTOCOL } from '../../../link/codec/frame-types.js';
import type { ClientOrigins } from '../../platform/http/client-origin.js';
import { headerValues } from '../../platform/http/header-values.js';
import type { HandshakeLimits } from './handshake-limits.js';
import type { HandshakeRefusal, HandshakeResult } from './link-identity.js';
import type { LinkNonces } from './link-nonce.js';
import { isSignedBy, linkMessage } from './node-signature.js';
import { signedHost } from '../../platform/http/signed-host.js';

export type NodeState = 'pending' | 'active' | 'revoked';

export interface EnrolledNode {
  readonly accountId: AccountId;
  readonly nodeId: NodeId;
  readonly clusterId: ClusterId;
  readonly name: string;
  readonly publicKey: Buffer;
  readonly state: NodeState;
  readonly paused: boolean;
}

/** Storage of the handshake. Rejects when the database does not answer. */
export interface HandshakeStore {
  findEnrolled(nodeId: NodeId): Promise<EnrolledNode | undefined>;
  /**
   * Spends the nonce, and gives the link an epoch (docs/reference/security.md#nodes): a new one, or that of the agent process.
   * @param processEpoch what an earlier link of the process was given; null: this is its first one
   */
  admit(accountId: AccountId, nodeId: NodeId, nonceHash: Buffer, processEpoch: number | null): Promise<Admission>;
}

export type Admission =
  | { readonly kind: 'admitted'; readonly epoch: number }
  | { readonly kind: 'replayed' }
  | { readonly kind: 'inactive' }
  /** A newer process of the node has connected since. */
  | { readonly kind: 'superseded' };

export interface NodeAuthenticatorParts {
  readonly store: HandshakeStore;
  readonly nonces: LinkNonces;
  readonly limits: HandshakeLimits;
  /** Failures are counted per client address, behind proxies. */
  readonly origins: Pick<ClientOrigins, 'of'>;
  /** `FERRY_BASE_URL`. */
  readonly baseUrl: string | undefined;
  readonly replicaId: ReplicaId;
  readonly isDraining: () => boolean;
  /** Seconds for which the node is refused because two computers use its identity. */
  readonly conflictSeconds: (nodeId: NodeId) => number | undefined;
  /** Runs after authentication and before the link opens; rejects to refuse the link. */
  readonly prepare: (accountId: AccountId) => Promise<void>;
}

/** Sent by browsers, never by nodes: protects against links on hostile pages (docs/reference/security.md#nodes). */
const BROWSER_HEADERS = ['origin', 'cookie'] as const;
const DRAINING_RETRY_SECONDS = 2;
const UNAVAILABLE_RETRY_SECONDS = 2;

/** Authenticates a node before the WebSocket exists: cheap checks first, then the database; the nonce is spent last. */
export class NodeAuthenticator {
  constructor(private readonly parts: NodeAuthenticatorParts) {}

  /** Never rejects. */
  async authenticate(request: IncomingMessage): Promise<HandshakeResult> {
    const address = this.parts.origins.of(request).ip;
    try {
      return await this.decide(request, address);
    } catch {
      return refuse(503, 'The relay cannot reach its database at the moment.', UNAVAILABLE_RETRY_SECONDS);
    }
  }

  private async decide(request: IncomingMessage, address: string): Promise<HandshakeResult> {
    const { store, limits, conflictSeconds, isDraining, prepare } = this.parts;
    if (BROWSER_HEADERS.some((name) => request.headers[name] !== undefined))
      return refuse(403, 'Browsers may not connect here.');
    if (headerValues(request, 'host').length > 1) return refuse(400, 'The request has more than one Host header.');
    if (offers(request, LINK_CHECK_SUBPROTOCOL)) return this.check(address);
    if (!offers(request, LINK_SUBPROTOCOL)) return refuse(426, `The subprotocol must be ${LINK_SUBPROTOCOL}.`);
    if (isDraining()) return refuse(503, 'The relay is shutting down.', DRAINING_RETRY_SECONDS);
    const blockedSeconds = limits.blocked(address);
    if (blockedSeconds !== undefined) return refuse(429, 'Too many failed authentications.', blockedSeconds);

    const authorization = parseNodeAuthorization(request);
    if (authorization === undefined) return this.fail(address, 'Missing or malformed FerryNode authorization.');
    const verdict = this.parts.nonces.verify(authorization.nonce);
    if (verdict !== 'valid')
      return this.fail(address, `The nonce is ${verdict}: ask GET /link/challenge for a new one.`);
    const node = await store.findEnrolled(authorization.nodeId);
    // One answer for an unknown node and a wrong signature, so that ids of nodes cannot be probed.
    if (node === undefined || !this.isSigned(request, authorization, node)) {
      return this.fail(address, 'Unknown node or wrong signature.');
    }

    if (node.state !== 'active') return refuse(403, inactiveMessage(node.state));
    const conflict = conflictSeconds(node.nodeId);
    if (conflict !== undefined) return refuse(429, 'The identity of this node is in use on two computers.', conflict);
    if (linkedReplicas(request).includes(this.parts.replicaId))
      return refuse(421, 'This node already has a link to this replica.');
    const tooManySeconds = limits.upgrade(node.nodeId);
    if (tooManySeconds !== undefined) return refuse(429, 'This node connects too often.', tooManySeconds);
    await prepare(node.accountId);

    const admission = await store.admit(
      node.accountId,
      node.nodeId,
      sha256(authorization.nonce),
      processEpoch(request),
    );
    switch (admission.kind) {
      case 'replayed':
        return this.fail(address, 'The nonce was used before.');
      case 'inactive':
        return refuse(403, inactiveMessage('revoked'));
      case 'superseded':
        return refuse(409, 'A newer process uses the identity of this node.');
      case 'admitted': {
        const { accountId, nodeId, clusterId, name, paused } = node;
        return { kind: 'admitted', identity: { accountId, nodeId, clusterId, name, paused, epoch: admission.epoch } };
      }
    }
  }

  private check(address: string): HandshakeResult {
    const tooManySeconds = this.parts.limits.check(address);
    return tooManySeconds === undefined
      ? { kind: 'check' }
      : refuse(429, 'Too many checks from this address.', tooManySeconds);
  }

  private isSigned(
    { headers, socket }: IncomingMessage,
    { nonce, nodeId, signature }: NodeAuthorization,
    node: EnrolledNode,
  ): boolean {
    const expected = signedHost(this.parts.baseUrl, { host: headers.host, localAddress: socket.localAddress });
    return expected !== undefined && isSignedBy(node.publicKey, linkMessage(expected, nonce, nodeId), signature);
  }

  private fail(address: string, message: string): HandshakeResult {
    this.parts.limits.failed(address);
    return refuse(401, message);
  }
}

const refuse = (status: HandshakeRefusal['status'], message: string, retryAfterSeconds?: number): HandshakeResult => ({
  kind: 'refused',
  refusal: { status, message, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) },
});

const offers = ({ headers }: IncomingMessage, subprotocol: string): boolean =>
  (headers['sec-websocket-protocol'] ?? '').split(',').some((offer) => offer.trim() === subprotocol);

const inactiveMessage = (state: NodeState): string =>
  state === 'pending'
    ? 'This node is waiting for approval.'
    : 'This node was revoked: enrol the computer again with a new join token.';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Bounds what a node can do to its own epoch. */
const EPOCH = /^\d{1,12}$/;

/** `Ferry-Epoch`: the epoch that an earlier link of this process was given. Anything else than a number counts as absent. */
function processEpoch(request: IncomingMessage): number | null {
  const [value = '', second] = headerValues(request, 'ferry-epoch');
  return second === undefined && EPOCH.test(value) ? Number(value) : null;
}

/** `Ferry-Linked-Replicas`: replicas to which this process has a link that it keeps. A second one would replace it. */
/** Replicas to which the node says that it has links. */
export const linkedReplicas = (request: IncomingMessage): ReplicaId[] =>
  headerValues(request, 'ferry-linked-replicas')
    .flatMap((list) => list.split(','))
    .map((entry) => entry.trim())
    .filter(isReplicaId);

interface NodeAuthorization {
  readonly nodeId: NodeId;
  readonly nonce: string;
  readonly signature: string;
}

const SHAPE = /^FerryNode id=([^,\s]{1,64}),nonce=([A-Za-z0-9_-]{1,128}),sig=([A-Za-z0-9_-]{1,128})$/;

/** Reads `Authorization: FerryNode id=…,nonce=…,sig=…`: exactly one header, exactly this shape (docs/reference/security.md#nodes). */
function parseNodeAuthorization(request: IncomingMessage): NodeAuthorization | undefined {
  const [value, second] = headerValues(request, 'authorization');
  const [, id, nonce, signature] = (second === undefined ? SHAPE.exec(value ?? '') : null) ?? [];
  if (id === undefined || nonce === undefined || signature === undefined || !isNodeId(id)) return undefined;
  return { nodeId: id, nonce, signature };
}
