import { describe, expect, it } from '@jest/globals';
import { chunk, set, settled, streamOf, type Run } from '../../../test/support/agent/inference.harness.js';
import { chunkSource, type EngineResponse, EngineFailure } from '../engines/engine.js';

const failure = new EngineFailure({
  code: 'engine_rejected_request',
  status: 400,
  message: 'too long',
  param: null,
  retry_after_seconds: null,
});

describe('a request that is not accepted', () => {
  it.each([
    ['not_loaded', 'a model that is installed', { state: 'installed' as const }, {}],
    ['not_loaded', 'a model that is unknown', {}, { model_key: 'test/other' }],
    ['unsupported', 'a dialect that its engine does not speak', {}, { dialect: 'completions' as const }],
    ['unsupported', 'a body above the limit', { bodyLimitBytes: 10 }, {}],
    ['busy', 'no free slot', { slots: 0 }, {}],
    ['busy', 'no room for its body', { bodiesInMemoryBytes: 10 }, {}],
  ])('a request that is not accepted is refused as %s: %s', (reason, _what, options, head) => {
    const { open, calls, gate, state } = set(() => streamOf(), options);
    expect(open(head).stream.log).toEqual([`reject ${reason}`]);
    expect(calls).toEqual([]);
    expect(gate.used).toBe(0);
    expect(state.active).toBe(0);
  });

  it('a request that is not accepted is refused while the node drains', () => {
    const { open, state } = set(() => streamOf());
    state.closed = true;
    expect(open().stream.log).toEqual(['reject draining']);
  });

  it('a request that is not accepted is refused as a duplicate within ten minutes, unless it had been refused', async () => {
    const { ended, open, clock } = set(() => streamOf([chunk({ content: 'a' }, 'stop')]), { slots: 1 });
    await ended({ request_id: 'req_same' });
    expect(open({ request_id: 'req_same' }).stream.log).toEqual(['reject busy']);
    expect((await ended({ request_id: 'req_other' })).log[0]).toBe('ack');
    clock.advance(10 * 60_000);
    expect((await ended({ request_id: 'req_same' })).log[0]).toBe('ack');
    const full = set(() => new Promise<never>(() => undefined));
    full.open({ request_id: 'first' });
    expect(full.open({ request_id: 'second' }).stream.log).toEqual(['reject busy']);
    full.gate.claim()?.release();
    expect(full.open({ request_id: 'second' }).stream.log).toEqual(['reject busy']);
  });
});

describe('a streamed answer', () => {
  it('reports before its first event, and again at its end, the fields not honoured', async () => {
    const { ended } = set(() => ({ ...streamOf([chunk({ content: 'a' }, 'stop')]), dropped: ['n'] }));
    const { headMessage, ended: end } = await ended();
    expect(headMessage?.translation).toEqual({ native: true, dropped: ['n'] });
    expect(end?.dropped).toEqual(['n']);
  });

  it('a streamed answer is sent as complete events under the public name, with one [DONE], and frees the slot before END', async () => {
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

  it('waits for credit, so that the engine is not read ahead of the client', async () => {
    let produced = 0;
    const { open } = set(() => ({
      kind: 'stream',
      chunks: chunkSource(
        (async function* () {
          for (; produced < 100; produced += 1) {
            await Promise.resolve();
            yield [chunk({ content: 'x' }, produced === 99 ? 'stop' : null)];
          }
        })(),
      ),
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

  it('a streamed answer that fails midway ends as failed, without [DONE]', async () => {
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
  it('a whole answer is sent as one JSON body of a known length under the public name', async () => {
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

describe('a whole answer where the relay takes it as one frame', () => {
  const object = { id: 'x', object: 'chat.completion', created: 1, model: '/path', choices: [] };
  const usage = { prompt_tokens: 1, completion_tokens: 2 };

  it('goes with its head, usage and end, and frees the slot before', async () => {
    let usedAtEnd = -1;
    const { open, gate, state, clock } = set(() => {
      clock.advance(7);
      return { kind: 'whole', object: { ...object, usage } };
    });
    const { stream } = open({ stream: false });
    stream.wholeLimit = 1_000;
    stream.onEnd = () => (usedAtEnd = gate.used);
    await settled(() => stream.ended !== undefined);
    expect(stream.log).toEqual(['ack', 'whole']);
    expect(JSON.parse(stream.text)).toEqual({ ...object, usage, model: 'public' });
    expect(stream.headMessage).toEqual({
      status: 200,
      content_type: 'application/json',
      content_length: stream.text.length,
      translation: { native: true, dropped: [] },
    });
    expect(stream.ended).toMatchObject({
      outcome: 'completed',
      usage: { input_tokens: 1, output_tokens: 2 },
      timings: { first_event_ms: 7, total_ms: 7 },
    });
    expect([usedAtEnd, state.active, state.unexpected]).toEqual([0, 0, []]);
  });

  it('goes in pieces when it is too long for that', async () => {
    const { open } = set(() => ({ kind: 'whole', object: { ...object, usage } }));
    const { stream } = open({ stream: false });
    stream.wholeLimit = 10;
    await settled(() => stream.ended !== undefined);
    expect(stream.log).toEqual(['ack', 'head', 'write', 'end completed']);
  });

  it('a whole answer where the relay takes it as one frame is cancelled when it comes after the reset', async () => {
    let response: (value: EngineResponse) => void = () => undefined;
    const { open, gate } = set(() => new Promise<EngineResponse>((resolve) => (response = resolve)));
    const { stream, handler } = open({ stream: false });
    stream.wholeLimit = 1_000;
    stream.reset(handler);
    response({ kind: 'whole', object: { ...object, usage } });
    await settled(() => stream.ended !== undefined);
    expect([stream.log.includes('whole'), stream.log.at(-1)]).toEqual([false, 'end cancelled']);
    expect(stream.ended?.usage).toMatchObject({ output_tokens: 2 });
    expect(gate.used).toBe(0);
  });
});

describe('the slot of a request', () => {
  const abortable: Run = ({ signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });

  it('the slot of a request is freed when the request is reset while its body is in flight', () => {
    const { open, gate, calls, state } = set(() => streamOf());
    const { stream, handler } = open({ body_bytes: 100 }, null);
    handler.onBody(Buffer.from('{'), false);
    expect(gate.used).toBe(1);
    stream.reset(handler);
    expect([gate.used, state.active, calls.length]).toEqual([0, 0, 0]);
    expect(stream.ended).toMatchObject({ outcome: 'cancelled', usage: null });
  });

  it('the slot of a request is freed when the request is reset in prefill, without further frames', async () => {
    const { open, gate, calls, state } = set(abortable);
    const { stream, handler } = open();
    await settled(() => calls.length === 1);
    stream.reset(handler);
    await settled(() => gate.used === 0);
    expect(state).toMatchObject({ active: 0, unexpected: [] });
    expect(stream.log).toEqual(['ack', 'end cancelled']);
  });

  it('the slot of a request is freed when the request is reset while it waits for credit', async () => {
    const { open, gate } = set(() => streamOf([chunk({ content: 'a' })], [chunk({}, 'stop')]));
    const { stream, handler } = open();
    stream.block = true;
    await settled(() => stream.blocked !== undefined);
    stream.reset(handler);
    await settled(() => gate.used === 0);
    expect(stream.ended).toMatchObject({ outcome: 'cancelled', usage: { output_tokens: 1, source: 'counted' } });
  });

  it('the slot of a stopped run is freed with the token count of the engine', async () => {
    const usage = {
      input_tokens: 9,
      output_tokens: 4,
      cached_tokens: 2,
      reasoning_tokens: 0,
      source: 'engine' as const,
    };
    const { open, calls } = set((call) => {
      call.onMeter?.(() => usage);
      return abortable(call);
    });
    const { stream, handler } = open();
    await settled(() => calls.length === 1);
    stream.reset(handler);
    await settled(() => stream.ended !== undefined);
    expect(stream.ended).toMatchObject({ outcome: 'cancelled', failure: null, usage });
  });

  it('the slot of a request is kept while an aborted engine still works', async () => {
    let letGo: ((response: EngineResponse) => void) | undefined;
    const { open, gate } = set(() => new Promise<EngineResponse>((resolve) => (letGo = resolve)));
    const { stream, handler } = open();
    await settled(() => letGo !== undefined);
    stream.reset(handler);
    await new Promise(setImmediate);
    expect([gate.used, stream.ended]).toEqual([1, undefined]);
    letGo?.(streamOf([chunk({ content: 'late' }, 'stop')]));
    await settled(() => gate.used === 0);
    expect(stream.writes).toEqual([]);
  });

  it('the slot of a request is freed after an internal error, whose details the client does not see', async () => {
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

describe('a missing capability', () => {
  it('a missing capability is remembered when its engine names it', async () => {
    const refusing = new EngineFailure({ ...failure.failure, code: 'unsupported_capability' }, { capability: 'tools' });
    const { ended, state } = set(() => Promise.reject(refusing));
    expect((await ended()).ended?.failure).toMatchObject({ code: 'unsupported_capability' });
    expect(state.learned).toEqual([['test/model', 'tools']]);
  });

  it('a missing capability is not learned from other failures', async () => {
    const { ended, state } = set(() => Promise.reject(failure));
    await ended();
    expect(state.learned).toEqual([]);
  });
});

describe('media that an engine would have to open', () => {
  const part = { type: 'image_url', image_url: { url: 'https://x/a.png' } };
  const body = JSON.stringify({ messages: [{ role: 'user', content: [part] }] });

  it('media that an engine would have to open are refused before the engine is called', async () => {
    const { ended, calls } = set(() => streamOf([chunk({ content: 'a' }, 'stop')]));
    const stream = await ended({}, body);
    expect(stream.ended?.failure).toMatchObject({
      code: 'unsupported_capability',
      status: 400,
      param: 'messages[0].content[0].image_url.url',
    });
    expect(calls).toEqual([]);
  });

  it('media that an engine would have to open are data URIs when the engine is called, with fetching enabled', async () => {
    const media = { admit: () => Promise.resolve(Buffer.from('{"fetched":true}')) };
    const { ended, calls } = set(() => streamOf([chunk({ content: 'a' }, 'stop')]), { media });
    await ended({}, body);
    expect(calls.map((call) => call.body.toString())).toEqual(['{"fetched":true}']);
  });
});
