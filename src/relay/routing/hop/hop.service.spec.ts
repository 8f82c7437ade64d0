import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../../test/support/clock/eventually.js';
import { completedEnd, streamHead } from '../../../../test/support/link/link-pair.js';
import type { FakeNode } from '../../../../test/support/relay/routing-fleet.js';
import {
  HopNetwork,
  RecordedResponse,
  type HopReplica,
  type NodeCall,
} from '../../../../test/support/replicas/hop.harness.js';
import { systemClock } from '../../../kernel/clock.js';
import { LinkUnavailableError } from '../../../link/link-errors.js';
import { CompletionPredictor } from '../prediction/completion-predictor.js';
import { totalMs } from '../prediction/cost-parts.js';
import { engineLoads } from '../../replicas/presence/engine-loads.js';
import type { EndMessage, HeadMessage } from '../../../link/messages.js';
import type { OnlineNode } from '../../nodes/registry/online-node.js';

const EVENT = Buffer.from(`data: ${'x'.repeat(1_000)}\n\n`);
/** `FERRY_LINK_TO_RELAY_WINDOW_BYTES` */
const WINDOW_BYTES = 65_536;

describe('requests for a node of other replicas', () => {
  let network: HopNetwork;
  let ingress: HopReplica;
  let owner: HopReplica;
  let node: FakeNode;
  /** As the ingress knows it. */
  let remote: OnlineNode;

  const knownAt = (replica: HopReplica): Promise<OnlineNode> =>
    eventually('the node is known and can be reached', () => {
      const found = replica.remote.get(node.nodeId);
      return found?.acceptsWork === true ? found : undefined;
    });
  const callAt = (replica: HopReplica): Promise<NodeCall> =>
    eventually('the request is at the node', () => replica.calls.at(-1));
  const logged = (response: RecordedResponse, entry: string): Promise<unknown> =>
    eventually(`${entry}, not ${response.log.join()}`, () => response.log.includes(entry));
  /** A stream whose node has begun to answer. */
  const begin = async (): Promise<{ answer: RecordedResponse; call: NodeCall }> => {
    owner.calls.length = 0;
    const answer = new RecordedResponse().send(remote);
    const call = await callAt(owner);
    call.response.onAck();
    call.response.onHead(streamHead);
    await logged(answer, 'head');
    return { answer, call };
  };

  beforeEach(async () => {
    network = new HopNetwork();
    ingress = network.add();
    owner = network.add();
    node = owner.connect('one');
    remote = await knownAt(ingress);
  });
  afterEach(() => network.stop());

  it('requests for a node of other replicas reach the engine with their body, and are answered', async () => {
    const body = Buffer.from(JSON.stringify({ text: 'y'.repeat(300_000) }));
    const response = new RecordedResponse().send(remote, { body });
    const call = await callAt(owner);
    expect(call.body.equals(body)).toBe(true);
    expect(call.head).toMatchObject({ request_id: 'req_1', body_bytes: body.length });
    // A node knows nothing of replicas.
    expect(call.head).not.toMatchObject({ hop: 1 });
    expect(call.head.node_id).toBeUndefined();
    expect([owner.slots.size, owner.budget.heldBytes]).toEqual([1, body.length]);
    call.response.onAck();
    call.response.onHead(streamHead);
    call.response.onData(EVENT, true);
    call.response.onEnd(completedEnd);
    await logged(response, 'completed');
    expect(response.log).toEqual(['ack', 'head', 'completed']);
    expect(response.receivedBytes).toBe(EVENT.length);
    expect([owner.slots.size, owner.budget.heldBytes]).toEqual([0, 0]);
  });

  describe('with a short JSON answer', () => {
    const body = Buffer.from(JSON.stringify({ text: 'Hello.' }));
    const head: HeadMessage = {
      ...{ status: 200, content_type: 'application/json', content_length: body.length },
      translation: { native: true, dropped: [] },
    };
    const usage = { input_tokens: 3, output_tokens: 2, cached_tokens: null, reasoning_tokens: null };
    const end: EndMessage = { ...completedEnd, usage: { ...usage, source: 'engine' } };
    const ask = async (): Promise<{ answer: RecordedResponse; call: NodeCall; frames: string[] }> => {
      const frames = owner.recordFrames();
      const answer = new RecordedResponse().send(remote, { stream: false });
      return { answer, call: await callAt(owner), frames };
    };

    it('requests for a node of other replicas with a short JSON answer pass it on in one frame, with usage and times', async () => {
      const { answer, call, frames } = await ask();
      // As the link tells a WHOLE of the node, in one turn.
      call.response.onAck();
      call.response.onHead(head);
      call.response.onData(body, true);
      call.response.onEnd(end);
      await logged(answer, 'completed');
      expect(frames).toEqual(['WHOLE']);
      expect(answer.log).toEqual(['ack', 'head', 'completed']);
      expect(answer.receivedBytes).toBe(body.length);
      expect(answer.end).toEqual(end);
      expect([owner.slots.size, owner.budget.heldBytes]).toEqual([0, 0]);
    });

    it('requests for a node of other replicas with a short JSON answer pass on what there is when its end does not follow at once', async () => {
      const { answer, call, frames } = await ask();
      call.response.onAck();
      call.response.onHead(head);
      call.response.onData(body, true);
      await eventually('the body', () => answer.receivedBytes === body.length);
      expect(frames).toEqual(['ACK', 'HEAD', 'DATA']);
      expect(call.consumedBytes).toBe(body.length);
      call.response.onEnd(end);
      await logged(answer, 'completed');
      expect(answer.end).toEqual(end);
    });

    it('pass on a body in pieces, and one that WHOLE has no place for, as they are', async () => {
      const chunks = await ask();
      chunks.call.response.onAck();
      chunks.call.response.onHead(head);
      chunks.call.response.onData(body.subarray(0, 4), false);
      chunks.call.response.onData(body.subarray(4), true);
      chunks.call.response.onEnd(end);
      await logged(chunks.answer, 'completed');
      expect(chunks.frames).toEqual(['ACK', 'HEAD', 'DATA', 'END']);

      owner.calls.length = 0;
      const dropped = await ask();
      dropped.call.response.onAck();
      dropped.call.response.onHead(head);
      dropped.call.response.onData(body, true);
      dropped.call.response.onEnd({ ...end, dropped: ['logprobs'] });
      await logged(dropped.answer, 'completed');
      expect(dropped.frames).toEqual(['ACK', 'HEAD', 'DATA', 'END']);
      expect([dropped.answer.receivedBytes, dropped.answer.end?.dropped]).toEqual([body.length, ['logprobs']]);
    });

    it('pass nothing on after the node was lost or the client has left', async () => {
      const lost = await ask();
      lost.call.response.onAck();
      lost.call.response.onHead(head);
      lost.call.response.onData(body, true);
      lost.call.response.onLost('node_disconnected');
      await eventually('the loss', () => lost.answer.log.some((entry) => entry.startsWith('lost ')));
      expect(lost.frames).not.toContain('HEAD');
      expect(lost.answer.receivedBytes).toBe(0);

      owner.calls.length = 0;
      const left = await ask();
      left.call.response.onAck();
      expect(await left.answer.cancel()).toBe('cancelled');
      left.call.response.onHead(head);
      left.call.response.onData(body, true);
      left.call.response.onEnd(end);
      await new Promise(setImmediate);
      expect(left.frames).not.toContain('WHOLE');
      expect([owner.slots.size, owner.budget.heldBytes]).toEqual([0, 0]);
    });
  });

  it('requests for a node of other replicas are predicted to be later while the engine queues, or has requests of others', async () => {
    const second = network.add();
    second.connect('one');
    await eventually('both replicas are known', () => ingress.places.length === 2);
    const predictor = new CompletionPredictor(systemClock);
    const cost = (): number => {
      const report = remote.models.get('engine/tiny')!;
      return totalMs(predictor.predict({ node: remote, report }, { promptTokens: 100, outputTokens: 100 }, 0, 1, 0));
    };
    const report = (place: number, load: object): void => {
      const engine = { name: 'engine', slots_total: 1, slots_used: 0, queue_depth: 0, ...load };
      ingress.places[place]!.loads = engineLoads([engine]);
    };
    const alone = cost();
    expect(remote.status?.engines).toMatchObject([{ name: 'engine', queue_depth: 0 }]);
    report(0, { queue_depth: 3 });
    expect(remote.status?.engines).toMatchObject([{ name: 'engine', slots_used: 0, queue_depth: 3 }]);
    expect(cost()).toBeGreaterThan(2 * alone);
    // The replica of the second place may be of the version before, or the first one.
    report(0, {});
    expect(cost()).toBe(alone);
    report(1, { foreign_requests: 6 });
    expect(remote.status?.engines).toMatchObject([{ queue_depth: 0, foreign_requests: 6 }]);
    expect(cost()).toBeGreaterThan(alone);
    for (const place of ingress.places) place.availability = 'full';
    expect(remote.status?.engines).toMatchObject([{ slots_used: 1, foreign_requests: 6 }]);
  });

  it('requests for a node of other replicas keep their trace on the way', async () => {
    const trace = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'a=1' };
    new RecordedResponse().send(remote, trace);
    expect((await callAt(owner)).head).toMatchObject(trace);
  });

  it('requests for a node of other replicas are refused as stale by a replica that knows the node only through another one', async () => {
    // The ingress believes that `second` has the node; it has not, and does not pass the request on to the owner.
    const second = network.add();
    const misled = second.connect('one');
    second.lose(misled);
    await knownAt(ingress);
    owner.lose(node);
    const responses = [new RecordedResponse().send(remote)];
    await logged(responses[0]!, 'refused stale');
    // The link to it may still be opening.
    await eventually('the other replica can be reached', () => remote.acceptsWork);
    responses.push(new RecordedResponse().send(remote));
    await logged(responses[1]!, 'refused stale');
    expect([...owner.calls, ...second.calls]).toEqual([]);
  });

  it('go to the other replica until the node has reported over a link to this one', async () => {
    const linked = ingress.connect('one', false);
    await new Promise(setImmediate);
    expect(ingress.remote.get(node.nodeId)).toBe(remote);
    const { call } = await begin();
    call.response.onEnd(completedEnd);
    ingress.report(linked);
    await eventually('only the own link counts', () => !ingress.remote.has(node.nodeId));
    ingress.lose(linked);
    await knownAt(ingress);
  });

  it('go to another replica of the node after one has refused as stale, and to none for 2 s when all have', async () => {
    const second = network.add();
    second.connect('one');
    await eventually('both replicas are tried', async () => {
      owner.lose(node);
      const response = new RecordedResponse().send(remote);
      await eventually('an answer', () => response.log.length > 0 || second.calls.length > 0);
      return second.calls.length > 0;
    });
    second.lose(node);
    await logged(new RecordedResponse().send(remote), 'refused stale');
    expect(remote.acceptsWork).toBe(false);
    expect(() => new RecordedResponse().send(remote)).toThrow(LinkUnavailableError);
    const refusedMs = performance.now();
    await eventually('it is tried again', () => remote.acceptsWork, 3_000);
    expect(performance.now() - refusedMs).toBeGreaterThan(1_500);
  });

  it('requests for a node of other replicas are refused as busy while all slots of the node are taken, and give theirs back', async () => {
    owner.slotsLeft = 1;
    const { answer, call } = await begin();
    const refused = new RecordedResponse().send(remote);
    await logged(refused, 'refused busy');
    expect(owner.calls).toHaveLength(1);
    call.response.onEnd(completedEnd);
    await logged(answer, 'completed');
    new RecordedResponse().send(remote);
    await eventually('the next one is at the node', () => owner.calls.length === 2);
  });

  it('requests for a node of other replicas are refused as busy when their body does not fit into the memory of the owner', async () => {
    const held = owner.budget.open(node.accountId);
    held.grow(16 * 1_048_576);
    await logged(new RecordedResponse().send(remote), 'refused busy');
    expect(owner.calls).toEqual([]);
    held.release();
    new RecordedResponse().send(remote);
    await callAt(owner);
  });

  it('requests for a node of other replicas pass on a refusal of the node', async () => {
    const response = new RecordedResponse().send(remote);
    (await callAt(owner)).response.onReject({ reason: 'not_loaded', message: null });
    await logged(response, 'refused not_loaded');
    expect([owner.slots.size, owner.budget.heldBytes]).toEqual([0, 0]);
  });

  it('requests for a node of other replicas stop the engine when the client leaves', async () => {
    const { answer, call } = await begin();
    expect(owner.slots.size).toBe(1);
    const stopped = answer.cancel();
    await eventually('the reset', () => call.resets.length > 0);
    expect(call.resets).toEqual(['cancelled']);
    expect(await stopped).toBe('cancelled');
    expect([owner.slots.size, owner.budget.heldBytes]).toEqual([0, 0]);
  });

  it('requests for a node of other replicas end with an error, and stop the engine, when a connection to NATS is lost', async () => {
    const { answer, call } = await begin();
    owner.transport.status$.next('disconnected');
    await eventually('the reset', () => call.resets.length > 0);
    owner.transport.status$.next('connected');
    await logged(answer, 'lost node_disconnected');
    expect(owner.slots.size).toBe(0);
    await knownAt(ingress);
    await begin();
  });

  it('requests for a node of other replicas end with an error when the node loses its link to the owner', async () => {
    const { answer, call } = await begin();
    call.response.onLost('node_disconnected');
    await eventually('the loss', () => answer.log.some((entry) => entry.startsWith('lost ')));
    expect([owner.slots.size, owner.budget.heldBytes]).toEqual([0, 0]);
  });

  it('get credit only for what the client has taken, so that neither replica holds more than a window', async () => {
    const { answer, call } = await begin();
    answer.reads = false;
    // A node stops when its window at the owner is used up.
    let sentBytes = 0;
    let sending = true;
    const sent = (async (): Promise<void> => {
      while (sending) {
        if (sentBytes - call.consumedBytes + EVENT.length <= WINDOW_BYTES) {
          call.response.onData(EVENT, true);
          sentBytes += EVENT.length;
        }
        await new Promise(setImmediate);
      }
    })();
    await eventually('credit that comes before the client reads', () => sentBytes > WINDOW_BYTES);
    await delay(300);
    expect(sentBytes).toBeLessThanOrEqual(2 * WINDOW_BYTES);
    expect(answer.receivedBytes).toBeLessThanOrEqual(WINDOW_BYTES);
    // It goes on where it has stopped when the client reads again.
    answer.read();
    await eventually('the rest', () => sentBytes > 4 * WINDOW_BYTES);
    sending = false;
    await sent;
    call.response.onEnd(completedEnd);
    await logged(answer, 'completed');
    expect(answer.receivedBytes).toBe(sentBytes);
  });

  it('requests for a node of other replicas end with an error when the owner ends, and none are sent to it while it drains', async () => {
    const { answer } = await begin();
    await owner.drain();
    await eventually('no more requests', () => !remote.acceptsWork);
    expect(answer.log.at(-1)).toBe('head');
    await owner.stop();
    await logged(answer, 'lost node_disconnected');
  });
});
