import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NotJsonObjectError } from '../../../kernel/json-members.js';
import { rewriteRequestBody } from './request-body.js';

const rewrite = (json: string, stream = true, model = 'engine/model'): string =>
  Buffer.concat(rewriteRequestBody(Buffer.from(json), { model, stream })).toString();

describe("the engine's copy of a request body", () => {
  it('has the name of the model replaced and asks for usage, with every other byte as the client sent it', () => {
    expect(
      rewrite('{ "messages" : [ ],\n\t"model":"public" , "seed": 9223372036854775807, "top_p":1.0e0 ,"stream":true}'),
    ).toBe(
      '{"stream_options":{"include_usage":true}, "messages" : [ ],\n\t"model":"engine/model" , "seed": 9223372036854775807, "top_p":1.0e0 ,"stream":true}',
    );
  });

  it("the engine's copy of a request body does not ask for usage where nothing is streamed", () => {
    expect(rewrite('{"model":"m","stream":false,"n":1}', false)).toBe('{"model":"engine/model","stream":false,"n":1}');
    expect(rewrite('{"model":"m"}', false)).toBe('{"model":"engine/model"}');
  });

  it.each([
    ['{"model":"m","max_completion_tokens":5}', '{"max_tokens":5,"model":"engine/model","max_completion_tokens":5}'],
    [
      '{"max_tokens":9,"max_completion_tokens":5,"model":"m"}',
      '{"max_tokens":5,"max_completion_tokens":5,"model":"engine/model"}',
    ],
    [
      '{"max_tokens":9,"max_completion_tokens":null,"model":"m"}',
      '{"max_tokens":9,"max_completion_tokens":null,"model":"engine/model"}',
    ],
    ['{"max_tokens":9,"model":"m"}', '{"max_tokens":9,"model":"engine/model"}'],
  ])("repeats a field under the engine's name: %s", (body, expected) => {
    const change = { model: 'engine/model', stream: false, aliases: { max_completion_tokens: 'max_tokens' } };
    expect(Buffer.concat(rewriteRequestBody(Buffer.from(body), change)).toString()).toBe(expected);
  });

  it.each([
    ['{"model":"m","stream":true,"stream_options":null}', '{"include_usage":true}'],
    ['{"model":"m","stream":true,"stream_options":{}}', '{"include_usage":true}'],
    ['{"model":"m","stream":true,"stream_options":{"include_usage":false}}', '{"include_usage":true}'],
    ['{"model":"m","stream":true,"stream_options":{"a":[1]}}', '{"include_usage":true,"a":[1]}'],
  ])('keeps the other stream options: %s', (body, options) => {
    expect(rewrite(body)).toBe(`{"model":"engine/model","stream":true,"stream_options":${options}}`);
  });

  it.each([
    ['{"model":"m","tools":[],"tool_choice":"auto"}', '{"model":"engine/model"}'],
    ['{"tools": [ ] ,"model":"m" , "tool_choice":"none"}', '{"model":"engine/model" }'],
    [
      '{"tool_choice":"auto","tools":null,"model":"m","seed":9223372036854775807}',
      '{"model":"engine/model","seed":9223372036854775807}',
    ],
    ['{"model":"m","tool_choice":"none"}', '{"model":"engine/model"}'],
    ['{"parallel_tool_calls":false,"model":"m","tools":[]}', '{"model":"engine/model"}'],
    [
      '{"model":"m","tools":[{}],"parallel_tool_calls":false}',
      '{"model":"engine/model","tools":[{}],"parallel_tool_calls":false}',
    ],
    ['{"functions":[],"model":"m","function_call":"auto"}', '{"model":"engine/model"}'],
    ['{"tools":[]}', '{"model":"engine/model"}'],
    ['{"model":"m","stream_options":{"include_usage":true}}', '{"model":"engine/model"}'],
    ['{"model":"m","tools":[{}],"tool_choice":"auto"}', '{"model":"engine/model","tools":[{}],"tool_choice":"auto"}'],
    [
      '{"model":"m","functions":[{}],"function_call":"auto"}',
      '{"model":"engine/model","functions":[{}],"function_call":"auto"}',
    ],
  ])(
    "the engine's copy of a request body is without an empty list of tools, its choice, and options of no stream: %s",
    (body, expected) => {
      expect(rewrite(body, false)).toBe(expected);
    },
  );

  it('replaces a repeated key everywhere, so that parsers agree', () => {
    expect(rewrite('{"model":"a","stream":false,"model":"b","stream":true,"stream_options":{}}')).toBe(
      '{"model":"engine/model","stream":true,"model":"engine/model","stream":true,"stream_options":{"include_usage":true}}',
    );
  });

  it('recognises keys that are written with escapes', () => {
    expect(rewrite('{"mod\\u0065l":"a"}', false)).toBe('{"mod\\u0065l":"engine/model"}');
    expect(rewrite('{"model\\\\":"a","\\"model":1}', false)).toBe(
      '{"model":"engine/model","model\\\\":"a","\\"model":1}',
    );
  });

  it('touches only the top level', () => {
    const body = '{"model":"m","metadata":{"model":"x","stream":true},"messages":[{"model":"y"}]}';
    expect(rewrite(body, false)).toBe(body.replace('"m"', '"engine/model"'));
  });

  it('adds missing fields, also to an empty object', () => {
    expect(rewrite('{}')).toBe('{"model":"engine/model","stream":true,"stream_options":{"include_usage":true}}');
    expect(rewrite(' { } ', false)).toBe(' {"model":"engine/model" } ');
  });

  it('removes a byte order mark, which engines reject', () => {
    expect(rewrite('\uFEFF{"model":"m"}', false)).toBe('{"model":"engine/model"}');
  });

  it.each([
    '',
    '[]',
    '"model"',
    '{',
    '{"model"',
    '{"model":',
    '{"model":"m"',
    '{"model":}',
    '{model:1}',
    '{"a":[1,2',
    '{"a" 1}',
    '{"\\q":1}',
  ])('rejects a body that is no object: %j', (body) => {
    expect(() => rewrite(body)).toThrow(NotJsonObjectError);
  });

  const key = fc.oneof(
    fc.constantFrom('model', 'stream', 'stream_options', 'messages', '__proto__', 'model ', ''),
    fc.string({ unit: 'binary' }),
  );
  /** JSON text with arbitrary white space, escapes, key order and repeated keys: what `JSON.stringify` would never write. */
  const space = fc.constantFrom('', '', ' ', '\n', '\t\r\n ');
  const escaped = fc
    .tuple(key, fc.boolean())
    .map(([text, all]) =>
      all
        ? `"${[...Array(text.length).keys()].map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`
        : JSON.stringify(text),
    );
  const value = fc.oneof(
    fc.json(),
    fc.constantFrom(
      '1e999',
      '-0',
      '9223372036854775808',
      '{"include_usage" : null, "x":"}"}',
      '"\\\\"',
      '"]}"',
      'true',
      'null',
    ),
  );
  const objectText = fc
    .array(fc.tuple(space, escaped, space, space, value, space), { maxLength: 8 })
    .chain((members) => space.map((end) => ({ members, end })))
    .map(({ members, end }) => `{${members.map(([a, k, b, c, v, d]) => `${a}${k}${b}:${c}${v}${d}`).join(',')}${end}}`);

  it('parses to the same value except for the replaced fields', () => {
    fc.assert(
      fc.property(objectText, fc.boolean(), fc.string({ unit: 'binary', minLength: 1 }), (text, stream, model) => {
        const before = JSON.parse(text) as Record<string, unknown>;
        const after = JSON.parse(rewrite(text, stream, model)) as Record<string, unknown>;
        const expected: Record<string, unknown> = { ...before, model };
        if (stream || Object.hasOwn(before, 'stream')) expected['stream'] = stream;
        if (stream) {
          const options = before['stream_options'];
          const isObject = typeof options === 'object' && options !== null && !Array.isArray(options);
          expected['stream_options'] = { ...(isObject ? options : {}), include_usage: true };
        } else delete expected['stream_options'];
        expect(after).toEqual(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it('keeps every other byte', () => {
    fc.assert(
      fc.property(objectText, (text) => {
        const once = rewrite(text, true, 'a');
        const other = rewrite(text, true, 'bb');
        expect(rewrite(once, true, 'bb')).toBe(other);
        // Taking the additions away again must leave what the client wrote.
        if (!/model|stream|\\u/.test(text)) {
          const added = '"model":"a","stream":true,"stream_options":{"include_usage":true}';
          expect(once.replace(`${added},`, '').replace(added, '')).toBe(text);
        }
      }),
      { numRuns: 500 },
    );
  });
});
