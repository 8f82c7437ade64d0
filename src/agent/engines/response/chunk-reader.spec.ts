import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { EngineObject } from '../engine.js';
import { ChunkReader, MAX_EVENT_CHARACTERS } from './chunk-reader.js';

const request = { route: 'chat', body: Buffer.from('{"messages":[]}') } as const;
const folder = new URL('../../../../test/fixtures/recordings/llama-server/', import.meta.url);

/** The body of a recorded response: what follows the blank line behind its headers. */
const recorded = (name: string): Buffer => {
  const file = readFileSync(new URL(name, folder));
  const end = file.indexOf('\r\n\r\n');
  return end === -1 ? file.subarray(file.indexOf('\n\n') + 2) : file.subarray(end + 4);
};

interface Read {
  readonly chunks: readonly EngineObject[];
  readonly failure: string | undefined;
}

const readChunks = (parts: readonly Uint8Array[]): Read => {
  const reader = new ChunkReader(request);
  const chunks = parts.flatMap((chunk) => reader.feed(chunk));
  chunks.push(...reader.end());
  return { chunks, failure: reader.failure?.message };
};

const read = (text: string | Buffer): Read => readChunks([Buffer.from(text)]);
const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: object, finish: string | null = null, index = 0): string =>
  event({ id: 'x', choices: [{ index, delta, finish_reason: finish }] });
const textOf = ({ chunks }: Read): string =>
  chunks
    .flatMap(({ choices }) => choices as { delta: { content?: string | null } }[])
    .map(({ delta }) => delta.content ?? '')
    .join('');
const finishOf = ({ chunks }: Read): unknown =>
  (chunks as { choices: { finish_reason: unknown }[] }[]).map(({ choices }) => choices[0]?.finish_reason).find(Boolean);

const streams = readdirSync(folder).filter((name) => /^chat-.*stream.*\.txt$/.test(name));

describe("an engine's event stream", () => {
  it.each(streams)('%s is read to its finish_reason and usage', (name) => {
    const result = read(recorded(name));
    expect(result.failure).toBeUndefined();
    expect(result.chunks.length).toBeGreaterThan(2);
    expect(finishOf(result)).toMatch(/^(stop|length|tool_calls)$/);
  });

  it('yields the same chunks when it is split at any byte', () => {
    const bytes = Buffer.concat([
      Buffer.from(`: comment\n${chunk({ content: 'Grüße, 世界 👋' })}`),
      recorded('chat-tool-stream.txt'),
    ]);
    const whole = read(bytes);
    expect(whole.failure).toBeUndefined();
    for (let at = 1; at < bytes.length; at += 1) {
      expect(readChunks([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
    }
  });

  it('yields the same chunks when it arrives byte by byte, or in any pieces', () => {
    const bytes = recorded('chat-stream-usage.txt');
    const whole = read(bytes);
    expect(readChunks(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(whole);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 20 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        expect(readChunks(at.slice(1).map((end, index) => bytes.subarray(at[index], end)))).toEqual(whole);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['CRLF line ends', (text: string) => text.replaceAll('\n', '\r\n')],
    ['CR line ends', (text: string) => text.replaceAll('\n', '\r')],
    ['no space behind the colon', (text: string) => text.replaceAll('data: ', 'data:')],
    ['a byte order mark', (text: string) => `\uFEFF${text}`],
    [
      'comments and fields of other kinds',
      (text: string) => text.replaceAll('data:', ': keepalive 3/9\nid: 1\nretry: 5\ndata:'),
    ],
    ['JSON over several data lines', (text: string) => text.replaceAll('","', '",\ndata: "')],
    ['no blank line behind the last event', (text: string) => text.trimEnd()],
    ['no blank lines between events', (text: string) => text.replaceAll('\n\n', '\n')],
    ['a byte order mark in front of every event', (text: string) => text.replaceAll('data:', '\uFEFFdata:')],
    ['events in the data of events', (text: string) => text.replaceAll('data: ', 'data: data: ')],
    ['lists of chunks, and empty ones', (text: string) => text.replace(/data: (.*)/g, 'data: [$1]\n\ndata: []')],
    ['one choice in place of a list', (text: string) => text.replace(/"choices":\[(.*?)\]/g, '"choices":$1')],
    ['objects without a field behind a comment', (text: string) => `: waiting\n\n${text.replaceAll('data: ', '')}`],
  ])("an engine's event stream may have %s", (_name, spell) => {
    const text = chunk({ content: 'a' }) + chunk({ content: 'b' }) + chunk({}, 'stop');
    expect(read(spell(text))).toEqual(read(text));
    expect(textOf(read(spell(text)))).toBe('ab');
  });

  it("an engine's event stream may have a line of megabytes", () => {
    const content = 'x'.repeat(5_000_000);
    expect(textOf(read(chunk({ content }, 'stop')))).toBe(content);
  });

  it("an engine's event stream is cut off at an event larger than the limit", () => {
    const reader = new ChunkReader(request);
    reader.feed(Buffer.from('data: '));
    for (let sent = 0; sent <= MAX_EVENT_CHARACTERS && reader.failure === undefined; sent += 1_048_576) {
      reader.feed(Buffer.alloc(1_048_576, 'x'));
    }
    expect(reader.failure?.failure.code).toBe('engine_error');
  });

  it('ends at the first [DONE], whatever follows', () => {
    const reader = new ChunkReader(request);
    const chunks = reader.feed(Buffer.from(`${chunk({}, 'stop')}data: [DONE]\n\n${chunk({ content: 'more' })}data: {`));
    expect(chunks).toHaveLength(1);
    expect(reader.done).toBe(true);
    expect(reader.end()).toEqual([]);
    expect(reader.failure).toBeUndefined();
  });
});

describe('a truncated stream', () => {
  it.each([
    ['nothing', ''],
    ['only an empty chunk (Ollama swallows errors so)', chunk({})],
    ['text without a finish_reason', chunk({ content: 'a' })],
    ['text and [DONE] without a finish_reason', `${chunk({ content: 'a' })}data: [DONE]\n\n`],
    ['one of two choices unfinished', chunk({ content: 'a' }, null, 1) + chunk({}, 'stop', 0)],
    ['half an event', `${chunk({ content: 'a' })}data: {"choices":[{"delta":{"con`],
    ['a finish_reason that means giving up', chunk({ content: 'a' }, 'abort')],
    [
      'numbers that are no JSON',
      'data: {"choices":[{"index":0,"delta":{},"logprobs":NaN,"finish_reason":"stop"}]}\n\n',
    ],
  ])('a truncated stream is a failure: %s', (_name, text) => {
    expect(read(text).failure).toEqual(expect.any(String));
  });
});

describe('what is no blank line between whole events', () => {
  it.each([
    ['a broken one', 'data: {"choices":[{"delta":{"con\ndata: tent":"b"}]}\n\n'],
    ['a broken one behind a whole one', `${chunk({ content: 'b' }).trimEnd()}\ndata: {"choices":[\n\n`],
    ['words', `${chunk({ content: 'b' }).trimEnd()}\ndata: and more\n\n`],
  ])('is a failure: %s', (_name, text) => {
    expect(read(chunk({ content: 'a' }) + text + chunk({}, 'stop')).failure).toContain('not a JSON object');
  });
});

describe('an error inside a stream', () => {
  it('an error inside a stream has no half surrogate pair, and is cut between pairs', () => {
    const reported = (error: string): string =>
      read(chunk({ content: 'a' }) + `data: {"error":${error}}\n\n`).failure ?? '';
    expect(reported(String.raw`{"message":"out of \ud83d memory"}`)).toContain('out of \uFFFD memory');
    const long = reported(JSON.stringify({ message: `x${'👋'.repeat(3_000)}` }));
    expect([long.isWellFormed(), long.length > 1_000]).toEqual([true, true]);
  });

  const before = chunk({ content: 'a' });

  it.each([
    ['an error object', event({ error: { message: 'boom', type: 'server_error' } })],
    ['an error text', event({ error: 'boom' })],
    ['an error object of old vLLM', event({ object: 'error', message: 'boom', code: 500 })],
    ['an error event', 'event: error\ndata: boom\n\n'],
    ['an error event with JSON', 'event: error\ndata: {"error":{"message":"boom"}}\n\n'],
    ['a line of old llama.cpp', 'error: {"code":500,"message":"boom","type":"server_error"}\n\n'],
    ['a bare line of JSON', '{"error":"boom"}\n'],
    ['an answer of FastAPI', event({ detail: 'boom' })],
  ])('an error inside a stream is recognised as %s, after the chunks before it', (_name, error) => {
    const result = read(before + error + chunk({}, 'stop'));
    expect(textOf(result)).toBe('a');
    expect(result.failure).toBe('boom');
  });

  it("keeps the class of an engine's own refusal, as llama.cpp sends it after its 200", () => {
    const reader = new ChunkReader(request);
    reader.feed(Buffer.from(event({ error: { code: 400, message: 'too long', type: 'exceed_context_size_error' } })));
    expect(reader.failure?.failure).toMatchObject({
      code: 'engine_rejected_request',
      status: 400,
      message: 'too long',
    });
  });
});

describe('corrections of chunks', () => {
  const call = (delta: object): object => ({ tool_calls: [delta] });

  it('corrections of chunks stop after a tool call becomes tool_calls', () => {
    const named = chunk(call({ index: 0, id: 'c1', function: { name: 'f', arguments: '{}' } }));
    expect(finishOf(read(named + chunk({}, 'stop')))).toBe('tool_calls');
    expect(finishOf(read(chunk({ content: 'a', tool_calls: [] }) + chunk({}, 'stop')))).toBe('stop');
    expect(finishOf(read(chunk({ content: 'a' }, 'eos_token')))).toBe('stop');
  });

  it('tool calls without an index get one', () => {
    const { chunks } = read(
      chunk(call({ id: 'c1', function: { name: 'f', arguments: '{"a"' } })) +
        chunk(call({ function: { arguments: ':1}' } })) +
        chunk(call({ id: 'c2', function: { name: 'g', arguments: { b: 2 } } })) +
        chunk({}, 'tool_calls'),
    );
    const calls = (
      chunks as { choices: { delta: { tool_calls?: { index: number; function: { arguments: string } }[] } }[] }[]
    )
      .flatMap(({ choices }) => choices[0]!.delta.tool_calls ?? [])
      .map(({ index, function: { arguments: text } }) => [index, text]);
    expect(calls).toEqual([
      [0, '{"a"'],
      [0, ':1}'],
      [1, '{"b":2}'],
    ]);
  });

  it('ping objects of an engine are dropped', () => {
    const { chunks } = read(
      event({ type: 'ping' }) +
        chunk({ content: 'a' }, 'stop') +
        event({ usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }),
    );
    expect(chunks.map(({ choices }) => (choices as unknown[]).length)).toEqual([1, 0]);
  });
});

describe('the usage of several choices', () => {
  const usage = (prompt: number, completion: number): string =>
    event({
      choices: [],
      usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
    });
  const usages = (text: string): unknown[] => read(text).chunks.flatMap((one) => (one['usage'] ? [one['usage']] : []));
  const two = chunk({ content: 'a' }, 'stop') + chunk({ content: 'b' }, 'stop', 1);

  it('the usage of several choices is added up where the engine reports each choice by itself', () => {
    expect(usages(`${two}${usage(12, 7)}${usage(12, 8)}data: [DONE]\n\n`)).toEqual([
      { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 },
      { prompt_tokens: 12, completion_tokens: 15, total_tokens: 27 },
    ]);
  });

  it('the usage of several choices is added up where an engine without a second slot writes one choice after the other', () => {
    const first = chunk({ content: 'a' }, 'stop') + usage(12, 7);
    const second = chunk({ content: 'b' }, 'stop', 1) + usage(12, 8);
    expect(usages(`${first}${second}data: [DONE]\n\n`).at(-1)).toEqual({
      prompt_tokens: 12,
      completion_tokens: 15,
      total_tokens: 27,
    });
  });

  it('stays as it is where one report is of all', () => {
    const one = [{ prompt_tokens: 12, completion_tokens: 15, total_tokens: 27 }];
    expect(usages(`${two}${usage(12, 15)}data: [DONE]\n\n`)).toEqual(one);
    expect(usages(`${chunk({ content: 'a' }, 'stop')}${usage(12, 15)}data: [DONE]\n\n`)).toEqual(one);
  });
});
