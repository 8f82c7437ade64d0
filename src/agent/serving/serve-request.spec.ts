import { describe, expect, it } from '@jest/globals';
import type { Clock } from '../../kernel/clock.js';
import { LinkStreamClosedError } from '../../link/link-errors.js';
import type { EndMessage, HeadMessage, OpenMessage } from '../../link/messages.js';
import type { NodeLinkStream } from '../../link/node-stream.js';
import {
  EngineFailure,
  type Engine,
  type EngineAnswer,
  type EngineCall,
  type EngineObject,
} from '../engines/engine.js';
import type { CatalogueEntry } from '../engines/engine-catalogue.js';
import { SlotGate } from '../engines/slot-gate.js';
import { BodyBudget } from './body-budget.js';
import { RequestLedger } from './request-ledger.js';
import { serveRequest, type ServingContext } from './serve-request.js';

/** A link stream that records, with as much credit as the test gives it. */
class RecordedStream implements NodeLinkStream {
  readonly id = 1;
  readonly log: string[] = [];
  readonly writes: string[] = [];
  headMessage: HeadMessage | undefined;
  ended: EndMessage | undefined;
  taken = 0;
  blocked: (() => void) | undefined;
  block = false;
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
  end(message: EndMessage): void {
    this.log.push(`end ${message.outcome}`);
    this.ended = message;
    this.onEnd?.();
  }
  bodyTaken(bytes: number): void {
    this.taken += bytes;
  }
  /** What the session does on RESET, in its order. */
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

type Run = (call: EngineCall) => Promise<EngineAnswer> | EngineAnswer;

const chunk = (delta: object, finish: string | null = null, extra: object = {}): EngineObject => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: '/home/me/secret.gguf',
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...extra,
});
const streamOf = (...batches: (EngineObject[] | Error)[]): EngineAnswer => ({
  kind: 'stream',
  chunks: (async function* () {
    for (const batch of batches) {
      await Promise.resolve();
      if (batch instanceof Error) throw batch;
      yield structuredClone(batch);
    }
  })(),
});

const failure = new EngineFailure({
  code: 'engine_rejected_request',
  status: 400,
  message: 'too long',
  param: null,
  retry_after_seconds: null,
});

const settled = async (condition: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 200 && !condition(); turn += 1) await new Promise(setImmediate);
  expect(condition()).toBe(true);
};

const set = (
  run: Run,
  options: {
    slots?: number;
    state?: 'loaded' | 'installed';
    bodyLimitBytes?: number;
    bodiesInMemoryBytes?: number;
  } = {},
) => {
  let now = 1_000;
  const clock: Clock = { monotonicMs: () => now, wallMs: () => now };
  const calls: EngineCall[] = [];
  const gate = new SlotGate(options.slots ?? 1);
  const engine = {
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
      state: options.state ?? 'loaded',
      dialects: ['chat', 'messages'],
    },
  } as unknown as CatalogueEntry;
  const state = { closed: false, active: 0, unexpected: [] as unknown[] };
  const context: ServingContext = {
    catalogue: { find: (key) => (key === 'test/model' ? entry : undefined) },
    ledger: new RequestLedger(clock),
    clock,
    bodyLimitBytes: options.bodyLimitBytes ?? 1_000_000,
    bodies: new BodyBudget(options.bodiesInMemoryBytes ?? 1_000_000),
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
  return { open, ended, calls, gate, state, bodies: context.bodies, advance: (ms: number) => (now += ms) };
};

describe('a request that is not accepted', () => {
  it.each([
    ['not_loaded', 'a model that is installed', { state: 'installed' as const }, {}],
    ['not_loaded', 'a model that is unknown', {}, { model_key: 'test/other' }],
    ['unsupported', 'a dialect without a translator', {}, { dialect: 'responses' as const }],
    ['unsupported', 'a body above the limit', { bodyLimitBytes: 10 }, {}],
    ['busy', 'no free slot', { slots: 0 }, {}],
    ['busy', 'no room for its body', { bodiesInMemoryBytes: 10 }, {}],
  ])('is refused as %s: %s', (reason, _what, options, head) => {
    const { open, calls, gate, state } = set(() => streamOf(), options);
    expect(open(head).stream.log).toEqual([`reject ${reason}`]);
    expect(calls).toEqual([]);
    expect(gate.used).toBe(0);
    expect(state.active).toBe(0);
  });

  it('is refused while the node drains', () => {
    const { open, state } = set(() => streamOf());
    state.closed = true;
    expect(open().stream.log).toEqual(['reject draining']);
  });

  it('is refused when it has been accepted within ten minutes, but not when it had been refused', async () => {
    const { ended, open, advance } = set(() => streamOf([chunk({ content: 'a' }, 'stop')]), { slots: 1 });
    await ended({ request_id: 'req_same' });
    expect(open({ request_id: 'req_same' }).stream.log).toEqual(['reject busy']);
    expect((await ended({ request_id: 'req_other' })).log[0]).toBe('ack');
    advance(10 * 60_000);
    expect((await ended({ request_id: 'req_same' })).log[0]).toBe('ack');
    const full = set(() => new Promise<never>(() => undefined));
    full.open({ request_id: 'first' });
    expect(full.open({ request_id: 'second' }).stream.log).toEqual(['reject busy']);
    full.gate.claim()?.release();
    expect(full.open({ request_id: 'second' }).stream.log).toEqual(['reject busy']);
  });
});

describe('a streamed answer', () => {
  it('comes as whole events under the public name, with one [DONE], and the slot is free before END', async () => {
    let usedAtEnd = -1;
    const { open, gate, calls, state, bodies } = set(() =>
      streamOf(
        [chunk({ role: 'assistant', content: null })],
        [chunk({ content: 'a' }), chunk({ content: 'b' })],
        [chunk({}, 'stop')],
      ),
    );
    const { stream } = open();
    expect(gate.used).toBe(1);
    stream.onEnd = () => (usedAtEnd = gate.used);
    await settled(() => stream.ended !== undefined);
    expect(usedAtEnd).toBe(0);
    expect(state.active).toBe(0);
    expect(stream.log).toEqual(['ack', 'head', 'write', 'write', 'write', 'end completed']);
    expect(stream.headMessage).toEqual({
      status: 200,
      content_type: 'text/event-stream',
      content_length: null,
      translation: { native: true, dropped: [] },
    });
    expect(stream.writes[0]).toBe(
      [chunk({ role: 'assistant', content: null }), chunk({ content: 'a' }), chunk({ content: 'b' })]
        .map((object) => `data: ${JSON.stringify({ ...object, model: 'public' })}\n\n`)
        .join(''),
    );
    expect(stream.writes.at(-1)).toBe('data: [DONE]\n\n');
    expect(stream.text.match(/\[DONE\]/g)).toHaveLength(1);
    expect(calls[0]).toMatchObject({ route: 'chat', engineModel: 'model', stream: true });
    expect(calls[0]?.body.toString()).toBe('{"model":"public","messages":[]}');
    expect(stream.taken).toBe(calls[0]?.body.length);
    expect(bodies.claim(1_000_000)).toBeDefined();
  });

  it('holds HEAD until the first output, so that a failure before it has a status', async () => {
    const { ended } = set(() => streamOf([chunk({ role: 'assistant', content: '' })], [chunk({})], failure));
    const stream = await ended();
    expect(stream.log).toEqual(['ack', 'end failed']);
    expect(stream.ended).toMatchObject({ failure: failure.failure, timings: { first_event_ms: null } });
  });

  it('waits for credit: the engine is not read ahead of the client', async () => {
    let produced = 0;
    const { open } = set(() => ({
      kind: 'stream',
      chunks: (async function* () {
        for (; produced < 100; produced += 1) {
          await Promise.resolve();
          yield [chunk({ content: 'x' }, produced === 99 ? 'stop' : null)];
        }
      })(),
    }));
    const { stream } = open();
    stream.block = true;
    await settled(() => stream.blocked !== undefined);
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    expect(produced).toBe(0);
    stream.block = false;
    stream.blocked?.();
    await settled(() => stream.ended !== undefined);
    expect(stream.chunks).toHaveLength(100);
  });

  it('that fails in the middle ends as failed, without [DONE]', async () => {
    const { ended, gate } = set(() => streamOf([chunk({ content: 'a' })], failure));
    const stream = await ended();
    expect(stream.log).toEqual(['ack', 'head', 'write', 'end failed']);
    expect(stream.text).not.toContain('[DONE]');
    expect(stream.ended).toMatchObject({
      failure: { message: 'too long' },
      usage: { output_tokens: 1, source: 'counted' },
    });
    expect(gate.used).toBe(0);
  });
});

describe('a whole answer', () => {
  it('comes as one JSON body of a known length under the public name', async () => {
    const object = {
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: '/path',
      choices: [],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    };
    const { ended } = set(() => ({ kind: 'whole', object: structuredClone(object) }));
    const stream = await ended({ stream: false });
    expect(stream.log).toEqual(['ack', 'head', 'write', 'end completed']);
    expect(JSON.parse(stream.text)).toEqual({ ...object, model: 'public' });
    expect(stream.headMessage).toEqual({
      status: 200,
      content_type: 'application/json',
      content_length: stream.text.length,
      translation: { native: true, dropped: [] },
    });
    expect(stream.ended?.usage).toMatchObject({ input_tokens: 1, output_tokens: 2, source: 'engine' });
  });
});

describe('a translated request', () => {
  const body = '{"model":"public","max_tokens":5,"container":"c","messages":[{"role":"user","content":"hi"}]}';

  it.each([true, false])('tells in HEAD and END what was left out of it (stream: %s)', async (stream) => {
    const whole = { choices: [{ message: { content: 'a' }, finish_reason: 'stop' }] };
    const { ended, calls } = set(() =>
      stream ? streamOf([chunk({ content: 'a' }, 'stop')]) : { kind: 'whole', object: whole },
    );
    const answer = await ended({ dialect: 'messages', stream }, body.replace('}]}', `}],"stream":${stream}}`));
    expect(calls[0]).toMatchObject({ route: 'chat', stream });
    expect(answer.headMessage?.translation).toEqual({ native: false, dropped: ['container'] });
    expect(answer.ended).toMatchObject({ outcome: 'completed', dropped: ['container'] });
    expect(answer.text).toContain('"type":"message"');
  });

  it('that says nothing sensible fails with the field at fault, before the engine is asked', async () => {
    const { ended, calls } = set(() => streamOf());
    const answer = await ended({ dialect: 'messages' }, body.replace('5', '0'));
    expect(answer.ended).toMatchObject({
      outcome: 'failed',
      failure: { code: 'invalid_request', status: 400, param: 'max_tokens' },
    });
    expect(calls).toEqual([]);
  });
});

describe('the slot of a request', () => {
  const abortable: Run = ({ signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });

  it('is given back when the request is reset while its body is on the way', () => {
    const { open, gate, calls, state } = set(() => streamOf());
    const { stream, handler } = open({ body_bytes: 100 }, null);
    handler.onBody(Buffer.from('{'), false);
    expect(gate.used).toBe(1);
    stream.reset(handler);
    expect([gate.used, state.active, calls.length]).toEqual([0, 0, 0]);
    expect(stream.ended).toBeUndefined();
  });

  it('is given back when the request is reset in prefill, and nothing is said any more', async () => {
    const { open, gate, calls, state } = set(abortable);
    const { stream, handler } = open();
    await settled(() => calls.length === 1);
    stream.reset(handler);
    await settled(() => gate.used === 0);
    expect(state).toMatchObject({ active: 0, unexpected: [] });
    expect(stream.log).toEqual(['ack']);
  });

  it('is given back when the request is reset while it waits for credit', async () => {
    const { open, gate } = set(() => streamOf([chunk({ content: 'a' })], [chunk({}, 'stop')]));
    const { stream, handler } = open();
    stream.block = true;
    await settled(() => stream.blocked !== undefined);
    stream.reset(handler);
    await settled(() => gate.used === 0);
    expect(stream.ended).toBeUndefined();
  });

  it('is kept while an aborted engine still works, because the engine is not free', async () => {
    let letGo: ((answer: EngineAnswer) => void) | undefined;
    const { open, gate } = set(() => new Promise<EngineAnswer>((resolve) => (letGo = resolve)));
    const { stream, handler } = open();
    await settled(() => letGo !== undefined);
    stream.reset(handler);
    await new Promise(setImmediate);
    expect(gate.used).toBe(1);
    letGo?.(streamOf([chunk({ content: 'late' }, 'stop')]));
    await settled(() => gate.used === 0);
    expect(stream.writes).toEqual([]);
  });

  it('is given back after a bug, which is no business of the client', async () => {
    const { ended, gate, state } = set(() => {
      throw new TypeError('secret detail');
    });
    const stream = await ended();
    expect(stream.ended?.failure).toMatchObject({ code: 'engine_error', status: 503 });
    expect(JSON.stringify(stream.ended)).not.toContain('secret detail');
    expect(state.unexpected).toHaveLength(1);
    expect(gate.used).toBe(0);
  });
});
