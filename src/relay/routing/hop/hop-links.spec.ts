import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BehaviorSubject } from 'rxjs';
import { completedEnd, openHead, readyFacts, streamHead } from '../../../../test/support/link/link-pair.js';
import { eventually } from '../../../../test/support/clock/eventually.js';
import { systemClock } from '../../../kernel/clock.js';
import { createReplicaId, type ReplicaId } from '../../../kernel/ids.js';
import type { NodeLinkStream } from '../../../link/stream/node-stream.js';
import type { RelayStreamHandler } from '../../../link/stream/relay-stream.js';
import type { BusStatus } from '../../replicas/bus/bus-transport.js';
import { LocalNetwork, LocalTransport } from '../../replicas/bus/local-transport.js';
import { decodeHopMessage, MAX_HOP_MESSAGE_BYTES } from './hop-message.js';
import { HopLinks } from './hop-links.js';

/** A bus that loses what a test tells it to lose. */
class FaultyTransport extends LocalTransport {
  override readonly status$ = new BehaviorSubject<BusStatus>('connected');
  readonly sizes: number[] = [];
  /** Messages that are lost, unnoticed, or refused. */
  fault: { kind: 'lost' | 'refused'; messages: number } = { kind: 'lost', messages: 0 };

  override publish(topic: string, bytes: Uint8Array, to?: ReplicaId): boolean {
    this.sizes.push(bytes.length);
    if (this.fault.messages > 0) {
      this.fault.messages -= 1;
      return this.fault.kind === 'lost';
    }
    return super.publish(topic, bytes, to);
  }
}

class Replica {
  readonly id = createReplicaId();
  readonly bus: FaultyTransport;
  readonly links: HopLinks;
  readonly ended: string[] = [];
  /** Of requests that other replicas have passed on. */
  readonly log: string[] = [];
  stream: NodeLinkStream | null = null;
  receivedBytes = 0;
  private readonly stopLinks: () => void;
  private readonly timer: NodeJS.Timeout;

  constructor(network: LocalNetwork) {
    this.bus = new FaultyTransport(this.id, network);
    this.links = new HopLinks({
      bus: this.bus,
      replicaId: this.id,
      version: '0.1.0',
      clock: systemClock,
      random: () => 0,
      limits: readyFacts.limits,
      times: { handshakeTimeoutMs: 300, pingIntervalMs: 50, deadAfterMs: 200, backpressureTimeoutMs: 5_000 },
      streamsIntervalMs: 1_000,
      onOpen: (head, stream) => {
        this.stream = stream;
        this.log.push(`open ${head.node_id}`);
        return {
          onBody: (chunk, last) => {
            this.receivedBytes += chunk.length;
            stream.bodyTaken(chunk.length);
            if (last) this.log.push('body');
          },
          onReset: (reason) => this.log.push(`reset ${reason}`),
        };
      },
      onChange: () => undefined,
      onEnded: (_peer, reason) => this.ended.push(reason),
      onError: (error) => {
        throw error;
      },
    });
    this.stopLinks = this.links.start();
    this.timer = setInterval(() => {
      this.links.tick();
    }, 20);
  }

  stop(): void {
    clearInterval(this.timer);
    this.stopLinks();
  }
}

const head = (bytes: number) => ({ ...openHead(bytes), node_id: 'nd_1', hop: 1 as const });

describe('links between two replicas', () => {
  let network: LocalNetwork;
  let ingress: Replica;
  let owner: Replica;
  let log: string[];
  let handler: RelayStreamHandler;

  beforeEach(async () => {
    network = new LocalNetwork();
    ingress = new Replica(network);
    owner = new Replica(network);
    log = [];
    handler = {
      onAck: () => log.push('ack'),
      onReject: ({ reason }) => log.push(`reject ${reason}`),
      onHead: () => log.push('head'),
      onData: (bytes, atBoundary) => log.push(`${bytes.toString()} ${atBoundary ? 'whole' : 'inside'}`),
      onEnd: ({ outcome }) => log.push(`end ${outcome}`),
      onLost: (reason) => log.push(`lost ${reason}`),
    };
    ingress.links.keep(new Set([owner.id]));
    await linked();
  });
  afterEach(() => {
    ingress.stop();
    owner.stop();
  });

  const linked = (): Promise<unknown> => eventually('a link', () => ingress.links.sessionTo(owner.id) !== null, 3_000);
  const open = (body = Buffer.from('{}')) => ingress.links.sessionTo(owner.id)!.open(head(body.length), body, handler);
  /** A request whose answer has begun. */
  const begin = async () => {
    owner.log.length = 0;
    log.length = 0;
    const stream = open();
    await eventually('the body', () => owner.log.includes('body'));
    owner.stream!.ack();
    owner.stream!.head(streamHead);
    await owner.stream!.write(Buffer.from('data: 1\n\n'));
    await eventually('the answer', () => log.includes('data: 1\n\n whole'));
    return stream;
  };

  it('carry a body of 5 MB and the answer, in messages of at most 128 KiB', async () => {
    const body = Buffer.alloc(5_000_000, 'x');
    const stream = open(body);
    await eventually('the whole body', () => owner.log.includes('body'));
    expect(owner.receivedBytes).toBe(body.length);
    owner.stream!.ack();
    owner.stream!.head(streamHead);
    await owner.stream!.write(Buffer.from('data: {"a"'), false);
    await owner.stream!.write(Buffer.from(':1}\n\n'));
    owner.stream!.end(completedEnd);
    await eventually('the end', () => log.includes('end completed'));
    expect(log.slice(0, 2)).toEqual(['ack', 'head']);
    expect(log.slice(2, -1).join('')).toContain('data: {"a"');
    expect(log.at(-2)).toMatch(/ whole$/);
    stream.consumed(15);
    expect(Math.max(...ingress.bus.sizes, ...owner.bus.sizes)).toBeLessThanOrEqual(MAX_HOP_MESSAGE_BYTES);
    expect(owner.links.openStreams).toBe(0);
  });

  it('links between two replicas tell the owner that the client has gone, and the ingress what was used by then', async () => {
    const stream = await begin();
    const stopped = new Promise((resolve) => stream.reset('cancelled', resolve));
    await eventually('the reset', () => owner.log.includes('reset cancelled'));
    owner.stream!.end(completedEnd);
    expect(await stopped).toMatchObject({ outcome: 'cancelled', usage: completedEnd.usage });
  });

  it.each(['ingress', 'owner'] as const)(
    'links between two replicas end all streams with an error when a message of the %s is lost',
    async (side) => {
      const stream = await begin();
      const sender = side === 'ingress' ? ingress : owner;
      sender.bus.fault = { kind: 'lost', messages: 1 };
      if (side === 'owner') await owner.stream!.write(Buffer.from('data: 2\n\n'));
      else stream.consumed(40_000);
      // The message after it shows the gap.
      await eventually('the loss', () => log.at(-1) === 'lost node_disconnected');
      await eventually('the reset', () => owner.log.includes('reset link_closed'));
      expect(log).not.toContain('data: 2\n\n whole');
      await linked();
      await begin();
    },
  );

  it('links between two replicas end all streams when a message is refused', async () => {
    await begin();
    owner.bus.fault = { kind: 'refused', messages: 1 };
    await owner.stream!.write(Buffer.from('data: 2\n\n'));
    await eventually('the reset', () => owner.log.includes('reset link_closed'));
    await eventually('the loss', () => log.at(-1) === 'lost node_disconnected');
  });

  it.each(['ingress', 'owner'] as const)(
    'links between two replicas end all streams when the connection of the %s was lost for a moment',
    async (side) => {
      await begin();
      const { bus } = side === 'ingress' ? ingress : owner;
      bus.status$.next('disconnected');
      bus.status$.next('connected');
      await eventually('the loss', () => log.at(-1) === 'lost node_disconnected');
      await eventually('the reset', () => owner.log.includes('reset link_closed'));
      await linked();
      await begin();
    },
  );

  it('links between two replicas end all streams when the owner is gone, and are made again when it is back', async () => {
    await begin();
    network.members.delete(owner.id);
    await eventually('the loss', () => log.at(-1) === 'lost node_disconnected', 2_000);
    expect(ingress.links.sessionTo(owner.id)).toBeNull();
    network.members.set(owner.id, owner.bus);
    await linked();
    await begin();
  });

  it('links between two replicas take no more requests to a replica that drains, and let the others finish', async () => {
    await begin();
    owner.links.drain();
    await eventually('no link', () => ingress.links.sessionTo(owner.id) === null);
    owner.stream!.end(completedEnd);
    await eventually('the end', () => log.at(-1) === 'end completed');
  });

  it('links between two replicas are closed when no node needs them', async () => {
    ingress.links.keep(new Set());
    await eventually('closed', () => owner.ended.length === 1);
    expect(ingress.links.sessionTo(owner.id)).toBeNull();
  });

  it('links between two replicas ignore what is no message of a link', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.alloc(9), Buffer.alloc(10, 0xff), Buffer.alloc(200_000)]) {
      expect(decodeHopMessage(bytes)).toBeUndefined();
      owner.bus.publish('link', bytes, ingress.id);
    }
    await begin();
  });
});
