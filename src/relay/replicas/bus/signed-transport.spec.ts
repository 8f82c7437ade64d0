import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { describeMessageBus } from '../../../../test/support/replicas/message-bus.contract.js';
import { createInstanceId, createReplicaId, type ReplicaId } from '../../../kernel/ids.js';
import { encodeHopMessage } from '../../routing/hop/hop-message.js';
import { BusRejections } from './bus-rejections.js';
import { LocalNetwork, LocalTransport } from './local-transport.js';
import { MessageSignature, SIGNED_HEADER_BYTES } from './message-signature.js';
import { SignedTransport } from './signed-transport.js';

const SECRET = 'a secret of the test suite, long enough';
const HEARTBEAT = 'presence.heartbeat';
const HOP = 'link';

/** All that relays tell, and ask, each other. */
const MESSAGES = [
  HEARTBEAT,
  HOP,
  'changes.notice',
  'feeds.changed',
  'feeds.watched',
  'health.verdict',
  'limits.debts',
  'limits.debts-wanted',
  'limits.use',
  'nodes.conflict',
  'presence.delta',
  'presence.heartbeat_request',
  'presence.snapshot',
  'presence.snapshot_request',
] as const;
const QUESTIONS = [
  'hop.node',
  'nodes.reports',
  'requests.explain',
  'requests.recent',
  'requests.running',
  'requests.stop',
] as const;

const log = { error: jest.fn(), log: jest.fn(), warn: jest.fn() };

describe('the signed bus', () => {
  let network: LocalNetwork;
  beforeEach(() => {
    network = new LocalNetwork();
  });
  describeMessageBus(
    (id) => new SignedTransport(new LocalTransport(id, network), id, new MessageSignature(SECRET), new BusRejections()),
  );
});

describe('what something else on the server of the bus says', () => {
  let network: LocalNetwork;
  let rejections: BusRejections;
  let relay: SignedTransport;
  let relayId: ReplicaId;
  let otherId: ReplicaId;
  let received: string[];
  /** Everything that the other relay has sent to this one, as it passed the server. */
  let seen: { readonly topic: string; readonly bytes: Uint8Array }[];
  let other: SignedTransport;
  /** Says it in the name of the other relay. */
  let wire: LocalTransport;

  beforeEach(() => {
    jest.clearAllMocks();
    Logger.overrideLogger(log);
    network = new LocalNetwork();
    rejections = new BusRejections();
    [relayId, otherId] = [createReplicaId(), createReplicaId()];
    relay = new SignedTransport(
      new LocalTransport(relayId, network),
      relayId,
      new MessageSignature(SECRET),
      rejections,
    );
    received = [];
    for (const topic of MESSAGES)
      relay.subscribe(
        topic,
        (from, bytes) => void received.push(`${topic} ${from} ${Buffer.from(bytes).toString('latin1')}`),
      );
    seen = [];
    wire = new LocalTransport(otherId, network);
    const recorded = {
      status: wire.status,
      status$: wire.status$,
      publish: (topic: string, bytes: Uint8Array, to?: ReplicaId) => {
        seen.push({ topic, bytes });
        return wire.publish(topic, bytes, to);
      },
      subscribe: wire.subscribe.bind(wire),
      request: wire.request.bind(wire),
      respond: wire.respond.bind(wire),
      close: wire.close.bind(wire),
    };
    other = new SignedTransport(recorded, otherId, new MessageSignature(SECRET), new BusRejections());
  });

  const delivered = (): Promise<void> => new Promise(setImmediate);
  const forgedBy = (secret: string, topic: string, bytes: Uint8Array): Buffer =>
    new MessageSignature(secret).sign({ kind: 'message', topic, from: otherId }, 1, bytes);

  const heartbeat = Buffer.from(
    JSON.stringify({ instance: createInstanceId(), state: 'serving', sequence: 0, nodes: 0 }),
  );
  const hop = encodeHopMessage({ kind: 'connect', side: 'ingress', link: 7, sequence: 0, payload: new Uint8Array(0) });

  it('can be of every type below', async () => {
    const folder = path.resolve('src/relay');
    const files = (await readdir(folder, { recursive: true })).filter((file) => /(?<!\.spec)\.ts$/.test(file));
    const sources = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
    const named = sources.flatMap((source) =>
      [...source.matchAll(/: (Request)?Topic<[^=]*> = \{\s*name: '([^']+)'/g)].map(([, asks, name]) => ({
        asks,
        name,
      })),
    );
    const namesOf = (ofQuestions: boolean) =>
      named.filter(({ asks }) => (asks !== undefined) === ofQuestions).map(({ name }) => name);
    expect([...namesOf(false), HOP].sort()).toEqual([...MESSAGES].sort());
    expect(namesOf(true).sort()).toEqual([...QUESTIONS]);
  });

  it.each(MESSAGES)('is dropped and counted as %s', async (topic) => {
    const bytes = Buffer.from('{}');
    wire.publish(topic, bytes);
    wire.publish(topic, forgedBy('another secret that is long enough too', topic, bytes));
    await delivered();
    expect([received, rejections.counts]).toEqual([[], { unsigned: 1, forged: 1, replayed: 0 }]);
    wire.publish(topic, forgedBy(SECRET, topic, bytes));
    await delivered();
    expect(received).toHaveLength(1);
  });

  it.each(QUESTIONS)('is dropped and counted as %s', async (topic) => {
    relay.respond(topic, (_from, _bytes, response) => {
      received.push(topic);
      response(Buffer.from('{}'));
    });
    const dropped = { ok: false, reason: 'timed_out' };
    expect(await wire.request(relayId, topic, Buffer.from('{}'), 20)).toEqual(dropped);
    const bytes = forgedBy('another secret that is long enough too', topic, Buffer.from('{}'));
    expect(await wire.request(relayId, topic, bytes, 20)).toEqual(dropped);
    expect([received, rejections.counts]).toEqual([[], { unsigned: 1, forged: 1, replayed: 0 }]);
  });

  it.each([
    ['a presence', HEARTBEAT, heartbeat],
    ['a hop', HOP, hop],
  ])('%s without a signature, or with that of another secret, is dropped and counted', async (_what, topic, bytes) => {
    wire.publish(topic, bytes);
    await delivered();
    expect(rejections.counts).toEqual({ unsigned: 1, forged: 0, replayed: 0 });
    wire.publish(topic, forgedBy('another secret that is long enough too', topic, bytes));
    await delivered();
    expect(rejections.counts).toEqual({ unsigned: 1, forged: 1, replayed: 0 });
    expect(received).toEqual([]);
    // What it would have said had it been signed.
    wire.publish(topic, forgedBy(SECRET, topic, bytes));
    await delivered();
    expect(received).toEqual([`${topic} ${otherId} ${bytes.toString('latin1')}`]);
  });

  it('is dropped when it was changed in any byte, sent as another replica, on another topic or to another replica', async () => {
    other.publish(HEARTBEAT, heartbeat, relayId);
    await delivered();
    received = [];
    const [{ bytes } = { bytes: heartbeat }] = seen;
    const expected = bytes.length - SIGNED_HEADER_BYTES;
    expect(expected).toBe(heartbeat.length);
    // The first byte says how it is signed: anything else there is no signed message at all.
    for (let at = 1; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8((changed.readUInt8(at) ^ 1) & 0xff, at);
      wire.publish(HEARTBEAT, changed);
    }
    wire.publish(HOP, bytes);
    new LocalTransport(createReplicaId(), network).publish(HEARTBEAT, bytes);
    await delivered();
    expect(received).toEqual([]);
    expect(rejections.counts).toEqual({ unsigned: 0, forged: bytes.length + 1, replayed: 0 });

    const third = createReplicaId();
    const thirdRejections = new BusRejections();
    const elsewhere = new SignedTransport(
      new LocalTransport(third, network),
      third,
      new MessageSignature(SECRET),
      thirdRejections,
    );
    elsewhere.subscribe(HEARTBEAT, () => void received.push('elsewhere'));
    wire.publish(HEARTBEAT, bytes, third);
    await delivered();
    expect(received).toEqual([]);
    expect(thirdRejections.counts).toEqual({ unsigned: 0, forged: 1, replayed: 0 });
  });

  it('is dropped when it repeats what a relay has said', async () => {
    other.publish(HEARTBEAT, heartbeat);
    other.publish(HOP, hop, relayId);
    await delivered();
    expect(received).toHaveLength(2);
    for (const { topic, bytes } of seen) wire.publish(topic, bytes);
    await delivered();
    expect(received).toHaveLength(2);
    expect(rejections.counts).toEqual({ unsigned: 0, forged: 0, replayed: 2 });
  });

  it('is dropped when it is what this relay has said itself, without being counted', async () => {
    const echo = new MessageSignature(SECRET).sign({ kind: 'message', topic: HEARTBEAT, from: relayId }, 1, heartbeat);
    const late = new LocalTransport(relayId, new LocalNetwork());
    // On a connection of its own, as after the loss of the one before.
    network.members.set(createReplicaId(), late);
    const own = new SignedTransport(late, relayId, new MessageSignature(SECRET), rejections);
    own.subscribe(HEARTBEAT, () => void received.push('an echo'));
    new LocalTransport(relayId, network).publish(HEARTBEAT, echo);
    await delivered();
    expect(received).toEqual([]);
    expect(rejections.counts).toEqual({ unsigned: 0, forged: 0, replayed: 0 });
  });

  it('is no answer to a request, which times out as if none had come', async () => {
    wire.respond('test', (_from, _bytes, response) => {
      response(Buffer.from('forged'));
    });
    expect(await relay.request(otherId, 'test', Buffer.from('question'), 60_000)).toEqual({
      ok: false,
      reason: 'timed_out',
    });
    expect(rejections.counts.unsigned).toBe(1);
  });

  it('is no request', async () => {
    relay.respond('test', (_from, _bytes, response) => {
      received.push('asked');
      response(Buffer.from('answer'));
    });
    expect(await wire.request(relayId, 'test', Buffer.from('question'), 50)).toEqual({
      ok: false,
      reason: 'timed_out',
    });
    expect(received).toEqual([]);
    expect(rejections.counts.unsigned).toBe(1);
  });

  it('is named in the log once a minute for each reason, with what to do', async () => {
    for (let time = 0; time < 50; time += 1) wire.publish(HEARTBEAT, heartbeat);
    wire.publish(HEARTBEAT, forgedBy('another secret that is long enough too', HEARTBEAT, heartbeat));
    await delivered();
    expect(log.error.mock.calls.map(([message]) => message)).toEqual([
      expect.stringContaining('a relay of an earlier version, which must be updated'),
      expect.stringContaining('a relay with another FERRY_SECRET'),
    ]);
    expect(rejections.counts).toMatchObject({ unsigned: 50, forged: 1 });
  });
});

describe('a signature', () => {
  it('needs no content', () => {
    const signature = new MessageSignature(SECRET);
    const [from, to] = [createReplicaId(), createReplicaId()];
    const as = { kind: 'message', topic: 'test', from } as const;
    const opened = signature.open({ ...as, to }, signature.sign(as, 2 ** 40, new Uint8Array(0)));
    expect(opened).toEqual({ sequence: 2 ** 40, bytes: Buffer.alloc(0) });
  });

  it.each([0, 1, SIGNED_HEADER_BYTES - 1])('a signature is missing in a message of %i bytes', (length) => {
    const signature = new MessageSignature(SECRET);
    const as = { kind: 'message', topic: 'test', from: createReplicaId(), to: createReplicaId() } as const;
    expect(signature.open(as, Buffer.alloc(length, 0xf1))).toBe('unsigned');
  });
});
