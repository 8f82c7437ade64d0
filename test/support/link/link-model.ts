/** Model-based test: a correct relay and a correct agent over one link, driven by random steps, with invariants checked at every step. */
import { LinkPair, completedEnd, openHead, readyFacts, streamHead } from './link-pair.js';
import type { EndMessage } from '../../../src/link/messages.js';
import type { NodeLinkStream } from '../../../src/link/stream/node-stream.js';
import type { RelayLinkStream } from '../../../src/link/stream/relay-stream.js';

/** Small windows, so that every limit is reached often. */
const limits = { max_streams: 5, to_node_window_bytes: 300, to_relay_window_bytes: 200, max_outstanding_bytes: 250 };

export type Step =
  | { readonly act: 'open' | 'write' | 'take' | 'takeBody'; readonly pick: number; readonly bytes: number }
  | { readonly act: 'answer' | 'end' | 'fail' | 'reject' | 'cancel' | 'stop'; readonly pick: number }
  | { readonly act: 'flush' | 'releaseAcks' | 'toNode' | 'toRelay' | 'nodeLeaves' | 'relayLeaves' }
  | { readonly act: 'pass'; readonly seconds: number };

/** A request from the relay's side. */
interface Request {
  readonly body: Buffer;
  readonly stream: RelayLinkStream;
  readonly calls: string[];
  received: Buffer;
  untaken: number;
  wholeEvents: boolean;
  cancelled: boolean;
  /** A confirmation is pending. */
  confirmable: boolean;
  readonly stops: string[];
}

/** The same request from the agent's side. */
interface Serving {
  readonly stream: NodeLinkStream;
  body: Buffer;
  bodyComplete: boolean;
  untaken: number;
  written: Buffer;
  writing: boolean;
  answering: boolean;
  /** Acknowledged, and to be answered at once. */
  whole: boolean;
  /** As many bytes as its HEAD announced are written: nothing but its end may follow. */
  complete: boolean;
  over: EndMessage['outcome'] | 'rejected' | 'reset' | 'stopped' | null;
}

/** The longest whole response is longer than the credit of a stream. */
const WHOLE_STEP_BYTES = 30;
const translation = { native: true, dropped: [] };

const bytesOf = (count: number, seed: number): Buffer =>
  Buffer.from(Array.from({ length: count }, (_, index) => (index * 7 + seed * 31) % 251));

export class LinkModel {
  readonly requests = new Map<number, Request>();
  readonly servings = new Map<number, Serving>();
  readonly pair = new LinkPair({
    ready: { ...readyFacts, limits },
    node: { onOpen: ({ body_bytes, stream: events }, stream) => this.serve(body_bytes, stream, !events) },
  });
  /** Answers that went as one frame. */
  wholes = 0;
  private relayLeaves = false;
  private writes = 0;

  run(step: Step): void {
    switch (step.act) {
      case 'open':
        this.open(step.bytes);
        return;
      case 'answer':
        this.pickServing(step.pick, (serving) => !serving.answering, response);
        return;
      case 'write':
        this.pickServing(
          step.pick,
          (serving) => serving.answering && !serving.whole && !serving.complete && !serving.writing,
          (serving) => {
            this.write(serving, step.bytes);
          },
        );
        return;
      case 'end':
        this.pickServing(
          step.pick,
          (serving) => serving.answering && !serving.writing,
          (serving) => {
            if (serving.whole) this.respondWhole(serving, 1 + step.pick * WHOLE_STEP_BYTES);
            else this.end(serving, 'completed');
          },
        );
        return;
      case 'fail':
        this.pickServing(
          step.pick,
          (serving) => serving.answering,
          (serving) => {
            this.end(serving, 'failed');
          },
        );
        return;
      case 'reject':
        this.pickServing(
          step.pick,
          (serving) => !serving.answering,
          (serving) => {
            serving.over = 'rejected';
            serving.stream.reject('busy');
          },
        );
        return;
      case 'takeBody':
        this.pickServing(
          step.pick,
          (serving) => serving.untaken > 0,
          (serving) => {
            const bytes = Math.min(step.bytes, serving.untaken);
            serving.untaken -= bytes;
            serving.stream.bodyTaken(bytes);
          },
        );
        return;
      case 'take':
        this.pickRequest(step.pick, (request) => {
          const bytes = Math.min(step.bytes, request.untaken);
          request.untaken -= bytes;
          request.stream.consumed(bytes);
        });
        return;
      case 'cancel':
        this.pickRequest(step.pick, (request) => {
          const wasOver = isOver(request);
          request.cancelled ||= !wasOver;
          const { stops } = request;
          const confirmable = request.stream.reset('cancelled', (stopped) => {
            stops.push(typeof stopped === 'string' ? stopped : `end ${stopped.outcome}`);
          });
          if (!wasOver) request.confirmable = confirmable;
        });
        return;
      case 'stop':
        this.pickStopped(step.pick);
        return;
      case 'flush':
        this.pair.flushes.run();
        return;
      case 'releaseAcks':
        this.pair.ackTimers.run();
        return;
      case 'toNode':
        this.pair.deliverToNode();
        return;
      case 'toRelay':
        this.pair.deliverToRelay();
        return;
      case 'nodeLeaves':
        this.pair.node.goAway({ reason: 'draining', reconnect_in_ms: 0 });
        return;
      case 'relayLeaves':
        this.relayLeaves = true;
        this.pair.relay.goAway({ reason: 'draining', reconnect_in_ms: 0 });
        return;
      case 'pass':
        this.pass(step.seconds);
        return;
      default:
        step satisfies never;
    }
  }

  /** One round in which both sides read and answer what is still open. Promises settle between the rounds. */
  windDown(): void {
    this.pair.ackTimers.run();
    this.pair.settle();
    for (let pick = 0; pick < limits.max_streams; pick += 1) {
      for (const act of ['takeBody', 'take'] as const) this.run({ act, pick, bytes: 1_000 });
      for (const act of ['end', 'answer', 'stop'] as const) this.run({ act, pick });
    }
    this.pair.settle();
  }

  /** Descriptions of all violated invariants. */
  violations(): string[] {
    const wrong: string[] = [];
    const { relaySocket, nodeSocket } = this.pair;
    if (relaySocket.closedWith) wrong.push(`the relay closed the link: ${relaySocket.closedWith.reason}`);
    if (nodeSocket.closedWith) wrong.push(`the node closed the link: ${nodeSocket.closedWith.reason}`);
    for (const [id, request] of this.requests) {
      const serving = this.servings.get(id);
      const ends = request.calls.filter((call) => isTerminal(call));
      const last = request.calls.at(-1);
      if (request.calls.includes('head out of order')) wrong.push(`${id} began before its ACK, or twice`);
      if (ends.length > 1) wrong.push(`${id} ended twice: ${request.calls.join(' ')}`);
      if (ends.length === 1 && last !== ends[0])
        wrong.push(`${id} was called after its end: ${request.calls.join(' ')}`);
      if (request.stops.length > (request.confirmable ? 1 : 0)) wrong.push(`${id} stopped: ${request.stops.join(' ')}`);
      if (request.cancelled && ends.length > 0) wrong.push(`${id} was called after its reset`);
      if (serving === undefined) continue;
      if (!startsWith(serving.written, request.received)) wrong.push(`${id} got other bytes than were written`);
      if (!startsWith(request.body, serving.body)) wrong.push(`${id} brought another body`);
      if (serving.bodyComplete && serving.body.length !== request.body.length)
        wrong.push(`${id} lost a part of its body`);
      if (last === 'end completed') {
        if (!request.received.equals(serving.written)) wrong.push(`${id} completed without all of its bytes`);
        if (!request.wholeEvents) wrong.push(`${id} completed inside an event`);
      }
    }
    return wrong;
  }

  /** Invariants once no request is open. */
  leftovers(): string[] {
    const left: string[] = [];
    if (this.pair.relay.openStreams > 0) left.push(`${this.pair.relay.openStreams} streams at the relay`);
    if (this.pair.node.openStreams > 0) left.push(`${this.pair.node.openStreams} streams at the node`);
    for (const [id, request] of this.requests) if (!isOver(request)) left.push(`${id} without an end`);
    for (const [id, request] of this.requests) {
      if (request.confirmable && request.stops.length === 0) left.push(`${id} never confirmed`);
    }
    for (const [id, serving] of this.servings) if (serving.over === null) left.push(`${id} without an end at the node`);
    return left;
  }

  private open(bytes: number): void {
    if (this.pair.relay.freeStreams === 0) return;
    const body = bytesOf(bytes, this.requests.size);
    const calls: string[] = [];
    const request: Omit<Request, 'stream'> = {
      body,
      calls,
      received: Buffer.alloc(0),
      untaken: 0,
      wholeEvents: true,
      cancelled: false,
      confirmable: false,
      stops: [],
    };
    const head = { ...openHead(bytes), stream: this.requests.size % 3 !== 0 };
    const stream = this.pair.relay.open(head, body, {
      onAck: () => calls.push('ack'),
      onReject: () => calls.push('reject'),
      onHead: () => calls.push(calls.join() === 'ack' ? 'head' : 'head out of order'),
      onData: (chunk, atBoundary) => {
        calls.push('data');
        request.received = Buffer.concat([request.received, chunk]);
        request.untaken += chunk.length;
        request.wholeEvents = atBoundary;
      },
      onEnd: ({ outcome }) => calls.push(`end ${outcome}`),
      onLost: (reason) => calls.push(`lost ${reason}`),
    });
    this.requests.set(stream.id, Object.assign(request, { stream }));
  }

  private serve(bodyBytes: number, stream: NodeLinkStream, whole: boolean) {
    const serving: Serving = {
      stream,
      body: Buffer.alloc(0),
      bodyComplete: false,
      untaken: 0,
      written: Buffer.alloc(0),
      writing: false,
      answering: false,
      whole,
      complete: false,
      over: null,
    };
    this.servings.set(stream.id, serving);
    return {
      onBody: (chunk: Buffer, last: boolean): void => {
        serving.body = Buffer.concat([serving.body, chunk]);
        serving.untaken += chunk.length;
        serving.bodyComplete = last && serving.body.length === bodyBytes;
      },
      onReset: (): void => {
        serving.over = 'reset';
      },
    };
  }

  private write(serving: Serving, bytes: number): void {
    this.writes += 1;
    const event = bytesOf(bytes, this.writes);
    serving.written = Buffer.concat([serving.written, event]);
    const waiting = serving.stream.write(event);
    serving.writing = waiting !== undefined;
    waiting?.then(
      () => (serving.writing = false),
      () => undefined,
    );
  }

  /** As one frame, or in pieces where that is not possible. */
  private respondWhole(serving: Serving, bytes: number): void {
    serving.whole = false;
    const head = { status: 200, content_type: 'application/json', content_length: bytes, translation } as const;
    if (!serving.stream.takesWhole(bytes)) {
      serving.stream.head(head);
      this.write(serving, bytes);
      serving.complete = true;
      return;
    }
    this.writes += 1;
    this.wholes += 1;
    serving.written = bytesOf(bytes, this.writes);
    serving.over = 'completed';
    serving.stream.whole(head, serving.written, completedEnd);
  }

  private end(serving: Serving, outcome: 'completed' | 'failed'): void {
    serving.over = outcome;
    serving.stream.end({ ...completedEnd, outcome });
  }

  private pass(seconds: number): void {
    for (let second = 0; second < seconds; second += 1) {
      this.pair.clock.advance(1_000);
      this.pair.relay.ponged();
      this.pair.node.ponged();
      this.pair.relay.tick();
      this.pair.node.tick();
    }
  }

  private pickServing(pick: number, fits: (serving: Serving) => boolean, act: (serving: Serving) => void): void {
    const open = [...this.servings.values()].filter((serving) => serving.over === null && fits(serving));
    const chosen = open[pick % open.length];
    if (chosen !== undefined) act(chosen);
  }

  /** The engine stops after it was told to. */
  private pickStopped(pick: number): void {
    const stopping = [...this.servings.values()].filter(({ over }) => over === 'reset');
    const chosen = stopping[pick % stopping.length];
    if (chosen === undefined) return;
    chosen.over = 'stopped';
    chosen.stream.end({ ...completedEnd, outcome: 'cancelled' });
  }

  private pickRequest(pick: number, act: (request: Request) => void): void {
    const open = [...this.requests.values()].filter((request) => request.untaken > 0 || !isOver(request));
    const chosen = open[pick % open.length];
    if (chosen !== undefined) act(chosen);
  }
}

function response(serving: Serving): void {
  serving.answering = true;
  serving.stream.ack();
  if (!serving.whole) serving.stream.head(streamHead);
}

const isTerminal = (call: string): boolean => /^(reject|end|lost)/.test(call);
const isOver = (request: Request): boolean => request.cancelled || request.calls.some(isTerminal);
const startsWith = (whole: Buffer, start: Buffer): boolean => whole.subarray(0, start.length).equals(start);
