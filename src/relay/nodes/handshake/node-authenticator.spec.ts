import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { incomingRequest } from '../../../../test/support/relay/incoming-request.js';
import { createClusterId, createNodeId, createReplicaId, type AccountId, type NodeId } from '../../../kernel/ids.js';
import { clientOrigin } from '../../platform/http/client-origin.js';
import { parseAddressRanges } from '../../platform/config/settings/setting.js';
import { HandshakeLimits } from './handshake-limits.js';
import type { HandshakeResult } from './link-identity.js';
import { LinkNonces } from './link-nonce.js';
import { NodeAuthenticator, type Admission, type EnrolledNode, type HandshakeStore } from './node-authenticator.js';
import { linkMessage } from './node-signature.js';

const HOST = 'relay.example.com';
const replicaId = createReplicaId();
const rawKey = (key: KeyObject): Buffer => Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');
const keys = generateKeyPairSync('ed25519');
const otherKeys = generateKeyPairSync('ed25519');
const node: EnrolledNode = {
  accountId: 'acc_1' as AccountId,
  nodeId: createNodeId(),
  clusterId: createClusterId(),
  name: 'laptop',
  publicKey: rawKey(keys.publicKey),
  state: 'active',
  paused: false,
};

/** In-memory store with the rules of the database: a nonce is spent once, and only an active node gets an epoch. */
class MemoryHandshakeStore implements HandshakeStore {
  readonly nodes = new Map<NodeId, EnrolledNode>([[node.nodeId, node]]);
  readonly spent = new Set<string>();
  epoch = 0;

  findEnrolled(nodeId: NodeId): Promise<EnrolledNode | undefined> {
    return Promise.resolve(this.nodes.get(nodeId));
  }

  admit(_account: AccountId, nodeId: NodeId, nonceHash: Buffer, processEpoch: number | null): Promise<Admission> {
    const hash = nonceHash.toString('hex');
    if (this.spent.has(hash)) return Promise.resolve({ kind: 'replayed' });
    this.spent.add(hash);
    if (this.nodes.get(nodeId)?.state !== 'active') return Promise.resolve({ kind: 'inactive' });
    if (processEpoch !== null && processEpoch < this.epoch) return Promise.resolve({ kind: 'superseded' });
    this.epoch = processEpoch ?? this.epoch + 1;
    return Promise.resolve({ kind: 'admitted', epoch: this.epoch });
  }
}

const clock = new ManualClock(1_700_000_000_000);
const nonces = new LinkNonces('a secret of at least 32 characters', 60_000, clock);
const PROXY = '10.0.0.1';
const trusted = parseAddressRanges(PROXY);
const origins = { of: (request: IncomingMessage) => clientOrigin(request, trusted) };
let store: MemoryHandshakeStore;
let limits: HandshakeLimits;
let draining: boolean;
let conflictSeconds: number | undefined;
let prepare: jest.Mock<(accountId: AccountId) => Promise<void>>;
let authenticator: NodeAuthenticator;

beforeEach(() => {
  store = new MemoryHandshakeStore();
  limits = new HandshakeLimits({ linkUpgradesPerMinute: 5, linkFailedAuthenticationsPerMinute: 5 });
  draining = false;
  conflictSeconds = undefined;
  prepare = jest.fn(() => Promise.resolve());
  authenticator = new NodeAuthenticator({
    store,
    nonces,
    limits,
    origins,
    baseUrl: `https://${HOST}`,
    replicaId,
    isDraining: () => draining,
    conflictSeconds: () => conflictSeconds,
    prepare,
  });
});

interface Handshake {
  readonly host?: string;
  readonly nonce?: string;
  readonly nodeId?: string;
  readonly signedNodeId?: NodeId;
  readonly privateKey?: KeyObject;
  readonly message?: Buffer;
  readonly authorization?: string;
  /** Name and value pairs in place of everything else. */
  readonly rawHeaders?: readonly string[];
  readonly extra?: readonly string[];
  readonly protocol?: string | null;
  /** Of the socket. */
  readonly remoteAddress?: string;
}

function authorizationOf(handshake: Handshake): string {
  const { host = HOST, nonce = nonces.issue(), nodeId = node.nodeId, signedNodeId = node.nodeId } = handshake;
  const message = handshake.message ?? linkMessage(host, nonce, signedNodeId);
  const signature = sign(null, message, handshake.privateKey ?? keys.privateKey).toString('base64url');
  return `FerryNode id=${nodeId},nonce=${nonce},sig=${signature}`;
}

function requestOf(handshake: Handshake): IncomingMessage {
  const { protocol = 'ferry.link.v1', extra = [] } = handshake;
  const rawHeaders = [
    ...(handshake.rawHeaders ?? ['Authorization', handshake.authorization ?? authorizationOf(handshake)]),
    ...(protocol === null ? [] : ['Sec-WebSocket-Protocol', protocol]),
    ...extra,
  ];
  const request = incomingRequest(rawHeaders);
  for (let index = 0; index < rawHeaders.length; index += 2) {
    request.headers[(rawHeaders[index] ?? '').toLowerCase()] ??= rawHeaders[index + 1] ?? '';
  }
  Object.defineProperty(request.socket, 'remoteAddress', { value: handshake.remoteAddress ?? '127.0.0.1' });
  return request;
}

const authenticate = (handshake: Handshake = {}): Promise<HandshakeResult> =>
  authenticator.authenticate(requestOf(handshake));
const statusOf = async (handshake: Handshake = {}): Promise<number> => {
  const result = await authenticate(handshake);
  return result.kind === 'refused' ? result.refusal.status : 101;
};

describe('NodeAuthenticator', () => {
  it('admits a node that signs with its key, with a higher epoch each time', async () => {
    expect(await authenticate()).toEqual({
      kind: 'admitted',
      identity: {
        accountId: node.accountId,
        nodeId: node.nodeId,
        clusterId: node.clusterId,
        name: 'laptop',
        paused: false,
        epoch: 1,
      },
    });
    expect(await authenticate()).toMatchObject({ identity: { epoch: 2 } });
  });

  it('accepts the subprotocol among others', async () => {
    expect(await statusOf({ protocol: 'ferry.link.v2, ferry.link.v1' })).toBe(101);
  });

  it('preloads the account before the node appears, and only for a valid node', async () => {
    await authenticate({ privateKey: otherKeys.privateKey });
    expect(prepare).not.toHaveBeenCalled();
    await authenticate();
    expect(prepare).toHaveBeenCalledWith(node.accountId);
  });

  const nonce = nonces.issue();
  const good = authorizationOf({ nonce });
  const unknownNode = createNodeId();
  const bad: [string, Handshake, number][] = [
    ['an Origin', { extra: ['Origin', 'https://relay.example.com'] }, 403],
    ['an Origin of null', { extra: ['origin', 'null'] }, 403],
    ['an empty Origin', { extra: ['Origin', ''] }, 403],
    ['a Cookie', { extra: ['Cookie', 'a=b'] }, 403],
    ['two Hosts', { extra: ['Host', HOST, 'host', 'evil.example'] }, 400],
    ['no subprotocol', { protocol: null }, 426],
    ['another subprotocol', { protocol: 'ferry.link.v2' }, 426],
    ['a subprotocol that starts like ours', { protocol: 'ferry.link.v11' }, 426],
    ['no Authorization', { rawHeaders: [] }, 401],
    ['an empty Authorization', { authorization: '' }, 401],
    ['a bearer credential', { authorization: 'Bearer sk-ferry-abc' }, 401],
    ['two Authorizations', { rawHeaders: ['Authorization', good, 'authorization', good] }, 401],
    ['fields in another order', { authorization: good.replace(/(id=[^,]*),(nonce=[^,]*)/, '$2,$1') }, 401],
    ['something after the signature', { authorization: `${good},more=1` }, 401],
    ['a newline in it', { authorization: good.replace(',nonce', '\n,nonce') }, 401],
    ['a node id of the wrong shape', { nodeId: "nd_' OR 1=1 --" }, 401],
    ['an unknown node', { nodeId: unknownNode, signedNodeId: unknownNode }, 401],
    ['a nonce of its own making', { nonce: 'A'.repeat(76) }, 401],
    ['an empty nonce', { authorization: good.replace(/nonce=[^,]*/, 'nonce=') }, 401],
    ['a signature over another nonce', { authorization: good.replace(nonce, nonces.issue()) }, 401],
    ['a signature over another host', { host: 'evil.example' }, 401],
    ['a signature over the host with a port', { host: `${HOST}:443` }, 401],
    ['a signature over another node', { signedNodeId: unknownNode }, 401],
    ['a signature by another key', { privateKey: otherKeys.privateKey }, 401],
    [
      'a signature for another purpose',
      { message: Buffer.from(`ferry-node-enrol-v1\0${HOST}\0${nonce}\0${node.nodeId}`) },
      401,
    ],
    ['a cut signature', { authorization: good.slice(0, -1) }, 401],
    [
      'a changed signature',
      { authorization: good.replace(/sig=./, (text) => (text === 'sig=A' ? 'sig=B' : 'sig=A')) },
      401,
    ],
    ['an empty signature', { authorization: good.replace(/sig=.*/, 'sig=') }, 401],
    ['a signature of zeros', { authorization: good.replace(/sig=.*/, `sig=${'A'.repeat(86)}`) }, 401],
    ['a megabyte', { authorization: `FerryNode id=${'a'.repeat(1_000_000)}` }, 401],
  ];

  it.each(bad)('refuses %s', async (_name, handshake, status) => {
    expect(await statusOf(handshake)).toBe(status);
    expect(store.spent.size).toBe(0);
  });

  it('refuses a replayed handshake, also on another connection', async () => {
    const captured = authorizationOf({});
    expect(await statusOf({ authorization: captured })).toBe(101);
    expect(await statusOf({ authorization: captured })).toBe(401);
    expect(store.epoch).toBe(1);
  });

  it('admits exactly one of many simultaneous uses of a nonce', async () => {
    limits = new HandshakeLimits({ linkUpgradesPerMinute: 100, linkFailedAuthenticationsPerMinute: 100 });
    authenticator = new NodeAuthenticator({
      store,
      nonces,
      limits,
      origins,
      baseUrl: `https://${HOST}`,
      replicaId,
      isDraining: () => false,
      conflictSeconds: () => undefined,
      prepare,
    });
    const captured = authorizationOf({});
    const statuses = await Promise.all(Array.from({ length: 50 }, () => statusOf({ authorization: captured })));
    expect(statuses.filter((status) => status === 101)).toHaveLength(1);
  });

  it('refuses an expired nonce', async () => {
    const captured = authorizationOf({});
    clock.advance(60_000);
    expect(await authenticate({ authorization: captured })).toMatchObject({
      refusal: { status: 401, message: 'The nonce is expired: ask GET /link/challenge for a new one.' },
    });
  });

  it.each(['revoked', 'pending'] as const)(
    'refuses a %s node permanently, and reveals it only to the node itself',
    async (state) => {
      store.nodes.set(node.nodeId, { ...node, state });
      expect(await statusOf()).toBe(403);
      expect(await statusOf({ privateKey: otherKeys.privateKey })).toBe(401);
    },
  );

  it('refuses a node that is revoked while it connects', async () => {
    prepare.mockImplementation(() => {
      store.nodes.set(node.nodeId, { ...node, state: 'revoked' });
      return Promise.resolve();
    });
    expect(await statusOf()).toBe(403);
  });

  it('answers for an unknown node as for a wrong signature', async () => {
    const unknown = await authenticate({ nodeId: unknownNode, signedNodeId: unknownNode });
    const wrong = await authenticate({ privateKey: otherKeys.privateKey });
    expect(unknown).toEqual(wrong);
  });

  it('limits how often a node connects, with Retry-After', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await statusOf()).toBe(101);
    const result = await authenticate();
    expect(result).toMatchObject({ refusal: { status: 429 } });
    expect(result.kind === 'refused' && result.refusal.retryAfterSeconds).toBeGreaterThan(0);
  });

  it('refuses an address that keeps failing before any query', async () => {
    const find = jest.spyOn(store, 'findEnrolled');
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(await statusOf({ privateKey: otherKeys.privateKey })).toBe(401);
    }
    expect(await statusOf()).toBe(429);
    expect(find).toHaveBeenCalledTimes(5);
  });

  it('counts failures against the client that a trusted proxy names, not against the proxy', async () => {
    const failing = {
      privateKey: otherKeys.privateKey,
      extra: ['X-Forwarded-For', '203.0.113.7'],
      remoteAddress: PROXY,
    };
    for (let attempt = 0; attempt < 6; attempt += 1) await authenticate(failing);
    expect(await statusOf(failing)).toBe(429);
    expect(await statusOf({ extra: ['X-Forwarded-For', '203.0.113.8'], remoteAddress: PROXY })).toBe(101);
    expect(await statusOf({ extra: ['X-Forwarded-For', '203.0.113.7'], remoteAddress: '198.51.100.1' })).toBe(101);
  });

  it('refuses both of two competing computers with one identity for a while', async () => {
    conflictSeconds = 240;
    expect(await authenticate()).toEqual({
      kind: 'refused',
      refusal: {
        status: 429,
        message: 'The identity of this node is in use on two computers.',
        retryAfterSeconds: 240,
      },
    });
  });

  it('sends nodes elsewhere while the relay shuts down', async () => {
    draining = true;
    expect(await authenticate()).toMatchObject({ refusal: { status: 503, retryAfterSeconds: 2 } });
  });

  it.each([
    ['the look-up', () => jest.spyOn(store, 'findEnrolled').mockRejectedValue(new Error('away'))],
    ['the admission', () => jest.spyOn(store, 'admit').mockRejectedValue(new Error('away'))],
    ['the preparation', () => prepare.mockRejectedValue(new Error('away'))],
  ])('asks for a retry when the database is down: %s', async (_name, breakIt) => {
    breakIt();
    expect(await authenticate()).toMatchObject({ refusal: { status: 503, retryAfterSeconds: 2 } });
  });

  it('stores the hash of the nonce, not the nonce', async () => {
    const used = nonces.issue();
    await authenticate({ nonce: used });
    expect([...store.spent]).toEqual([createHash('sha256').update(used).digest('hex')]);
  });

  describe('a node with several links', () => {
    const epochOf = async (extra: readonly string[]): Promise<number | undefined> => {
      const result = await authenticate({ extra });
      return result.kind === 'admitted' ? result.identity.epoch : undefined;
    };

    it('gives the later links of a process the epoch of its first one', async () => {
      const epoch = await epochOf([]);
      expect(await epochOf(['Ferry-Epoch', String(epoch)])).toBe(epoch);
      expect(await epochOf([])).toBe(Number(epoch) + 1);
    });

    it('refuses a process when a newer one has connected', async () => {
      const older = await epochOf([]);
      await epochOf([]);
      expect(await statusOf({ extra: ['Ferry-Epoch', String(older)] })).toBe(409);
    });

    it.each(['', '-1', '1e3', '1.5', '9'.repeat(13)])('gives a new epoch when the old one is %p', async (text) => {
      await epochOf([]);
      expect(await epochOf(['Ferry-Epoch', text])).toBe(2);
    });

    it('refuses a second link to this replica before the database is asked for an epoch', async () => {
      const linked = `${createReplicaId()}, ${replicaId}`;
      for (let attempt = 0; attempt < 10; attempt += 1)
        expect(await statusOf({ extra: ['Ferry-Linked-Replicas', linked] })).toBe(421);
      expect(await epochOf(['Ferry-Linked-Replicas', createReplicaId()])).toBe(1);
    });
  });
});
