/** A node's request server with a fake link and a fake engine. */
import { ManualClock } from '../clock/manual-clock.js';
import type { Tracer } from '../../../src/kernel/tracing/tracer.js';
import { LinkStreamClosedError } from '../../../src/link/link-errors.js';
import type { EndMessage, HeadMessage, OpenMessage } from '../../../src/link/messages.js';
import type { NodeLinkStream } from '../../../src/link/stream/node-stream.js';
import {
  chunkSource,
  type Engine,
  type EngineResponse,
  type EngineCall,
  type EngineObject,
  type RefusedCapability,
} from '../../../src/agent/engines/engine.js';
import type { CatalogueEntry } from '../../../src/agent/engines/engine-catalogue.js';
import { SlotGate } from '../../../src/agent/engines/slot-gate.js';
import { MediaGate } from '../../../src/agent/inference/media/media-gate.js';
import { ConversationStore } from '../../../src/agent/inference/conversations/conversation-store.js';
import { ResponseStore } from '../../../src/agent/inference/conversations/response-store.js';
import { ThreadStore } from '../../../src/agent/inference/conversations/thread-store.js';
import { BodyBudget } from '../../../src/agent/inference/body-budget.js';
import { RecentRequests } from '../../../src/agent/inference/recent-requests.js';
import { serveRequest, type ServingContext } from '../../../src/agent/inference/serve-request.js';

/** A link stream that records, with the credit that the test grants. */
export class RecordedStream implements NodeLinkStream {
  readonly id = 1;
  readonly log: string[] = [];
  readonly writes: string[] = [];
  headMessage: HeadMessage | undefined;
  ended: EndMessage | undefined;
  taken = 0;
  blocked: (() => void) | undefined;
  block = false;
  /** The longest answer that goes as one frame; 0: the relay takes none. */
  wholeLimit = 0;
  onEnd: (() => void) | undefined;
  closed: LinkStreamClosedError | undefined;
  private refuse: ((error: Error) => void) | undefined;

  ack(): void {
    this.log.push('ack');
  }
  reject(reason: string): void {
    this.log.push(`reject ${reason}`);
  }
  head(message: HeadMessage): void {
    this.log.push('head');
    this.headMessage = message;
  }
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.closed !== undefined) return Promise.reject(this.closed);
    this.log.push('write');
    this.writes.push(Buffer.from(bytes).toString());
    if (!this.block) return undefined;
    return new Promise((resolve, reject) => {
      this.blocked = resolve;
      this.refuse = reject;
    });
  }
  takesWhole(bytes: number): boolean {
    return this.closed === undefined && bytes <= this.wholeLimit;
  }
  whole(head: HeadMessage, bytes: Uint8Array, end: EndMessage): void {
    this.log.push('whole');
    this.headMessage = head;
    this.writes.push(Buffer.from(bytes).toString());
    this.ended = end;
    this.onEnd?.();
  }
  end(message: EndMessage): void {
    this.log.push(`end ${message.outcome}`);
    this.ended = message;
    this.onEnd?.();
  }
  abandon(): void {
    throw new Error('only a relay abandons a stream');
  }
  bodyTaken(bytes: number): void {
    this.taken += bytes;
  }
  /** What the session does on RESET, in the same order. */
  reset(handler: { onReset(reason: 'cancelled'): void }): void {
    this.closed = new LinkStreamClosedError('cancelled');
    this.refuse?.(this.closed);
    handler.onReset('cancelled');
  }
  get text(): string {
    return this.writes.join('');
  }
  get chunks(): EngineObject[] {
    return this.text
      .split('\n\n')
      .filter((event) => event !== '' && event !== 'data: [DONE]')
      .map((event) => JSON.parse(event.slice('data: '.length)) as EngineObject);
  }
}

export type Run = (call: EngineCall) => Promise<EngineResponse> | EngineResponse;

export const chunk = (delta: object, finish: string | null = null, extra: object = {}): EngineObject => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: '/home/me/secret.gguf',
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...extra,
});
export const streamOf = (...batches: (EngineObject[] | Error)[]): EngineResponse => ({
  kind: 'stream',
  chunks: chunkSource(
    (async function* () {
      for (const batch of batches) {
        await Promise.resolve();
        if (batch instanceof Error) throw batch;
        yield structuredClone(batch);
      }
    })(),
  ),
});

export const settled = async (condition: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 200 && !condition(); turn += 1) await new Promise(setImmediate);
  if (!condition()) throw new Error('it did not happen');
};

export const set = (
  run: Run,
  options: {
    slots?: number;
    state?: 'loaded' | 'installed';
    media?: ServingContext['media'];
    bodyLimitBytes?: number;
    bodiesInMemoryBytes?: number;
    tracer?: Tracer;
    /** The engine runs in the node. */
    inProcess?: true;
  } = {},
) => {
  const clock = new ManualClock();
  const calls: EngineCall[] = [];
  const gate = new SlotGate(() => options.slots ?? 1);
  const engine = {
    name: 'fake@127.0.0.1',
    ...(options.inProcess && { inProcess: options.inProcess }),
    facts: () => ({ name: 'fake@127.0.0.1', kind: 'vllm', version: null }),
    run: async (call: EngineCall) => {
      calls.push(call);
      return run(call);
    },
  } as unknown as Engine;
  const entry = {
    engine,
    gate,
    report: {
      key: 'test/model',
      engine_model: 'model',
      display_name: 'Model',
      state: options.state ?? 'loaded',
      dialects: ['chat', 'messages', 'responses'],
    },
  } as unknown as CatalogueEntry;
  const state = { closed: false, active: 0, unexpected: [] as unknown[], learned: [] as [string, RefusedCapability][] };
  const conversations = new ConversationStore({ maxBytes: 1_000_000, maxAgeMs: 60_000, clock });
  const context: ServingContext = {
    catalogue: {
      find: (key) => (key === 'test/model' ? entry : undefined),
      learn: (key, capability) => state.learned.push([key, capability]),
    },
    media: options.media ?? new MediaGate(),
    recentRequests: new RecentRequests(clock),
    clock,
    bodyLimitBytes: options.bodyLimitBytes ?? 1_000_000,
    bodies: new BodyBudget(options.bodiesInMemoryBytes ?? 1_000_000),
    timers: clock,
    keepAlive: { afterMs: 60_000, intervalMs: 60_000 },
    responses: new ResponseStore(conversations),
    threads: new ThreadStore(conversations),
    closedToWork: () => state.closed,
    onAccepted: () => {
      state.active += 1;
      let over = false;
      return () => {
        if (!over) state.active -= 1;
        over = true;
      };
    },
    onUnexpected: (error) => state.unexpected.push(error),
    tracer: options.tracer,
  };
  let requests = 0;
  const open = (head: Partial<OpenMessage> = {}, body: string | null = '{"model":"public","messages":[]}') => {
    const stream = new RecordedStream();
    requests += 1;
    const message: OpenMessage = {
      request_id: `req_${requests}`,
      dialect: 'chat',
      model_key: 'test/model',
      public_model: 'public',
      stream: true,
      deadline_ms: 60_000,
      body_bytes: body?.length ?? 0,
      scope: 'a',
      headers: {},
      traceparent: null,
      ...head,
    };
    const handler = serveRequest(message, stream, context);
    if (body !== null && stream.log[0] === 'ack') {
      handler.onBody(Buffer.from(body.slice(0, 5)), false);
      handler.onBody(Buffer.from(body.slice(5)), true);
    }
    return { stream, handler };
  };
  const ended = async (head?: Partial<OpenMessage>, body?: string): Promise<RecordedStream> => {
    const { stream } = open(head, body);
    await settled(() => stream.ended !== undefined);
    return stream;
  };
  return {
    open,
    ended,
    calls,
    gate,
    state,
    bodies: context.bodies,
    clock,
  };
};
