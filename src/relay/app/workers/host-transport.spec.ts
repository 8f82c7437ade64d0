import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createReplicaId, type ReplicaId } from '../../../kernel/ids.js';
import { BusHub } from './bus-hub.js';
import { PrimaryLink } from '../../platform/workers/primary-link.js';
import type { BusMessage, FromWorker } from '../../platform/workers/worker-messages.js';
import { HostTransport } from '../../replicas/bus/host-transport.js';

const LIMIT_BYTES = 1_000;
const bytes = (text: string): Uint8Array => Buffer.from(text);
const text = (of: Uint8Array): string => Buffer.from(of).toString();

/** The channel of a child process: what is sent is received later, a copy of it. */
class Channel extends EventEmitter {
  /** The primary process does not read. */
  frozen = false;
  private readonly unread: (() => void)[] = [];

  constructor(private readonly receive: (message: FromWorker) => void) {
    super();
  }

  send(message: FromWorker, _handle: undefined, _options: undefined, sent: () => void): boolean {
    const deliver = (): void => {
      sent();
      this.receive(structuredClone(message));
    };
    if (this.frozen) this.unread.push(deliver);
    else setImmediate(deliver);
    return true;
  }

  thaw(): void {
    this.frozen = false;
    for (const deliver of this.unread.splice(0)) deliver();
  }
}

interface Worker {
  readonly replicaId: ReplicaId;
  readonly channel: Channel;
  readonly control: HostTransport;
  readonly hop: HostTransport;
  readonly leave: () => void;
}

describe('HostTransport', () => {
  let hub: BusHub;
  let workers: [Worker, Worker, Worker];

  const start = (): Worker => {
    const replicaId = createReplicaId();
    const channel: Channel = new Channel((message) => {
      hub.pass(message as BusMessage);
    });
    const link = new PrimaryLink(channel, { worker: 1, workers: 3, port: undefined });
    const leave = hub.join(replicaId, (message) => channel.emit('message', message));
    const create = (of: 'control' | 'hop'): HostTransport =>
      new HostTransport({ replicaId, link, channel: of, pendingLimitBytes: LIMIT_BYTES });
    return { replicaId, channel, leave, control: create('control'), hop: create('hop') };
  };

  beforeEach(() => {
    hub = new BusHub();
    workers = [start(), start(), start()];
  });

  afterEach(async () => {
    for (const { control, hop } of workers) {
      await control.close();
      await hop.close();
    }
  });

  it('a message without a receiver reaches all other workers in order, and never its sender', async () => {
    const received: string[][] = [[], [], []];
    workers.forEach(({ control }, at) => {
      control.subscribe('news', (from, message) => {
        expect(from).toBe(workers[0].replicaId);
        received[at]?.push(text(message));
      });
    });
    for (const word of ['one', 'two', 'three']) expect(workers[0].control.publish('news', bytes(word))).toBe(true);
    await turn();
    await turn();
    expect(received).toEqual([[], ['one', 'two', 'three'], ['one', 'two', 'three']]);
  });

  it('a message to one worker reaches that one on its channel and its topic only', async () => {
    const received: string[] = [];
    const [sender, receiver, other] = workers;
    receiver.control.subscribe('news', (_from, message) => received.push(`control ${text(message)}`));
    receiver.hop.subscribe('news', (_from, message) => received.push(`hop ${text(message)}`));
    receiver.control.subscribe('other', () => received.push('other topic'));
    other.control.subscribe('news', () => received.push('other worker'));
    sender.control.publish('news', bytes('a'), receiver.replicaId);
    sender.hop.publish('news', bytes('b'), receiver.replicaId);
    await turn();
    await turn();
    expect(received).toEqual(['control a', 'hop b']);
  });

  it('an ended subscription gets nothing more, and another of the same function goes on', async () => {
    const received: string[] = [];
    const handler = (_from: ReplicaId, message: Uint8Array): void => void received.push(text(message));
    const end = workers[1].control.subscribe('news', handler);
    workers[1].control.subscribe('news', handler);
    end();
    workers[0].control.publish('news', bytes('once'));
    await turn();
    await turn();
    expect(received).toEqual(['once']);
  });

  it('a request is answered by the worker that it names', async () => {
    const [asks, answers] = workers;
    answers.control.respond('question', (from, message, response) => {
      expect(from).toBe(asks.replicaId);
      response(bytes(`${text(message)}!`));
    });
    const response = await asks.control.request(answers.replicaId, 'question', bytes('well'), 1_000);
    expect(response.ok && text(response.bytes)).toBe('well!');
  });

  it('a request that nothing answers is unreachable at once, and one without a response times out', async () => {
    const [asks, silent, gone] = workers;
    silent.control.respond('question', () => undefined);
    gone.leave();
    const ask = (to: ReplicaId, topic: string, timeoutMs: number) =>
      asks.control.request(to, topic, bytes('?'), timeoutMs);
    expect(await ask(gone.replicaId, 'question', 10_000)).toEqual({ ok: false, reason: 'unreachable' });
    expect(await ask(silent.replicaId, 'unknown', 10_000)).toEqual({ ok: false, reason: 'unreachable' });
    expect(await ask(silent.replicaId, 'question', 20)).toEqual({ ok: false, reason: 'timed_out' });
  });

  it('refuses more than its limit while the primary process does not read, by channel, and goes on afterwards', async () => {
    const [{ channel, control, hop, replicaId }, other] = workers;
    const received: number[] = [];
    other.control.subscribe('news', (_from, message) => received.push(message.length));
    channel.frozen = true;
    expect(control.publish('news', Buffer.alloc(900))).toBe(true);
    expect(control.publish('news', Buffer.alloc(101))).toBe(false);
    expect(await control.request(other.replicaId, 'question', Buffer.alloc(101), 1_000)).toEqual({
      ok: false,
      reason: 'disconnected',
    });
    expect(hop.publish('news', Buffer.alloc(1_000), replicaId)).toBe(true);
    channel.thaw();
    expect(control.publish('news', Buffer.alloc(1_000))).toBe(true);
    await turn();
    await turn();
    // What was refused is never sent.
    expect(received).toEqual([900, 1_000]);
  });

  it('a closed transport refuses everything and ends what waits', async () => {
    const [asks, silent] = workers;
    silent.control.respond('question', () => undefined);
    const waiting = asks.control.request(silent.replicaId, 'question', bytes('?'), 10_000);
    await asks.control.close();
    expect(await waiting).toEqual({ ok: false, reason: 'disconnected' });
    expect(asks.control.status).toBe('disconnected');
    expect(asks.control.publish('news', bytes('x'))).toBe(false);
  });
});
