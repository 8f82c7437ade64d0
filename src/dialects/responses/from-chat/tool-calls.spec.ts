import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../kernel/json-object.js';
import { assertResponseStream } from '../../../../test/support/client/openresponses-schema.js';
import {
  responseContext,
  callChunk,
  chunk,
  linesOf,
  streamOf,
} from '../../../../test/support/engine/responses-responses.js';
import { normalisedChunks } from '../../../../test/support/engine/normalised-chunks.js';
import { responsesToChat } from '../to-chat/to-chat.js';

const toolCalls = chunk({}, 'tool_calls');
const callsOf = (chunks: readonly JsonObject[], context = responseContext()): readonly JsonObject[] => {
  const events = assertResponseStream(streamOf([...chunks, toolCalls], context), { customTools: true });
  return (events.at(-1)?.['response'] as { output: readonly JsonObject[] }).output;
};
/** Engines' spellings are mended before the dialect reads them. */
const names = (chunks: readonly JsonObject[]) =>
  callsOf(normalisedChunks(chunks)).map(({ name, arguments: text }) => [name, text]);

describe('tool calls in the spellings of engines', () => {
  test.each<[string, readonly JsonObject[], readonly (readonly [string, string])[]]>([
    [
      'no calls at all',
      [chunk({ tool_calls: [], content: 'a' }), chunk({ tool_calls: null })],
      [[undefined as never, undefined as never]],
    ],
    [
      'a whole call in one chunk',
      [callChunk({ index: 0, id: 'c', name: 'f', arguments: '{"a":1}' })],
      [['f', '{"a":1}']],
    ],
    [
      'id and name repeated in every chunk',
      ['{"a"', ':1', '}', ''].map((text) => callChunk({ index: 0, id: 'c', name: 'f', arguments: text })),
      [['f', '{"a":1}']],
    ],
    [
      'a new id in every chunk',
      ['{"a"', ':1}'].map((text, index) =>
        callChunk({ index: 0, id: `r${String(index)}`, ...(index === 0 && { name: 'f' }), arguments: text }),
      ),
      [['f', '{"a":1}']],
    ],
    ['arguments as an object', [callChunk({ index: 0, id: 'c', name: 'f', arguments: { a: 1 } })], [['f', '{"a":1}']]],
    ['arguments null', [callChunk({ index: 0, id: 'c', name: 'f', arguments: null })], [['f', '{}']]],
    [
      'broken arguments, which the client should see',
      [callChunk({ index: 0, id: 'c', name: 'f', arguments: '{"a":' })],
      [['f', '{"a":']],
    ],
    [
      'a name that comes late',
      [
        callChunk({ index: 0, id: 'c', arguments: '{"a"' }),
        callChunk({ index: 0, name: 'f' }),
        callChunk({ index: 0, arguments: ':1}' }),
      ],
      [['f', '{"a":1}']],
    ],
    [
      'no index, one call',
      [callChunk({ id: 'c', name: 'f', arguments: '{"a"' }), callChunk({ arguments: ':1}' })],
      [['f', '{"a":1}']],
    ],
    [
      'no index, calls told apart by id',
      [
        callChunk({ id: 'c1', name: 'f', arguments: '{' }),
        callChunk({ id: 'c2', name: 'g', arguments: '{' }),
        callChunk({ id: 'c1', arguments: '}' }),
        callChunk({ id: 'c2', arguments: '}' }),
      ],
      [
        ['f', '{}'],
        ['g', '{}'],
      ],
    ],
    [
      'no index, no id, whole calls',
      [callChunk({ name: 'f', arguments: '{"a":1}' }), callChunk({ name: 'f', arguments: '{"a":2}' })],
      [
        ['f', '{"a":1}'],
        ['f', '{"a":2}'],
      ],
    ],
    [
      'every call has index 0',
      [
        callChunk({ index: 0, id: 'c1', name: 'f', arguments: '{"a":1}' }),
        callChunk({ index: 0, id: 'c2', name: 'f', arguments: '{"a":2}' }),
      ],
      [
        ['f', '{"a":1}'],
        ['f', '{"a":2}'],
      ],
    ],
    [
      'every call has index 0 and streams',
      [
        callChunk({ index: 0, id: 'c1', name: 'f', arguments: '' }),
        callChunk({ index: 0, arguments: '{"a":1}' }),
        callChunk({ index: 0, id: 'c2', name: 'f', arguments: '' }),
        callChunk({ index: 0, arguments: '{"a":2}' }),
      ],
      [
        ['f', '{"a":1}'],
        ['f', '{"a":2}'],
      ],
    ],
    [
      'several calls in one chunk',
      [
        chunk({
          tool_calls: [{ function: { name: 'f', arguments: '{}' } }, { function: { name: 'g', arguments: '{}' } }],
        }),
      ],
      [
        ['f', '{}'],
        ['g', '{}'],
      ],
    ],
    [
      'empty ids',
      [
        callChunk({ index: 0, id: '', name: 'f', arguments: '{}' }),
        callChunk({ index: 1, id: '', name: 'g', arguments: '{}' }),
      ],
      [
        ['f', '{}'],
        ['g', '{}'],
      ],
    ],
    [
      'junk behind the arguments',
      [
        callChunk({ index: 0, id: 'c', name: 'f', arguments: '{}' }),
        chunk({ content: 'a' }),
        callChunk({ index: 0, arguments: '\n' }),
      ],
      [
        ['f', '{}'],
        [undefined as never, undefined as never],
      ],
    ],
    [
      'a fragment of nothing',
      [chunk({ tool_calls: [{}] }), chunk({ content: 'a' })],
      [[undefined as never, undefined as never]],
    ],
    [
      'the old field',
      [chunk({ function_call: { name: 'f', arguments: '{"a"' } }), chunk({ function_call: { arguments: ':1}' } })],
      [['f', '{"a":1}']],
    ],
  ])('%s', (_, chunks, expected) => {
    expect(names(chunks)).toEqual(expected);
  });
});

describe('call ids', () => {
  const idsOf = (ids: readonly string[], context = responseContext()) =>
    callsOf(
      ids.map((id, index) => callChunk({ index, id, name: 'f', arguments: '{}' })),
      context,
    ).map((item) => item['call_id']);

  test("call ids are the engine's own when they are unique", () => {
    expect(idsOf(['abc123XYZ', 'call_0'])).toEqual(['abc123XYZ', 'call_0']);
  });

  test('call ids are generated where the engine gives none, a duplicate, or one too long', () => {
    const [none, first, again, long] = idsOf(['', 'call_0', 'call_0', 'x'.repeat(65)]);
    expect([none, again, long].every((id) => /^call_\d+$/.test(String(id)) && id !== 'call_0')).toBe(true);
    expect(first).toBe('call_0');
  });

  test('call ids do not repeat those of the conversation: engines count from 0 in every answer', () => {
    const earlier = [{ type: 'function_call', call_id: 'call_0', name: 'f', arguments: '{}' }];
    const request = { model: 'tiny', input: 'again' };
    const translation = responsesToChat(request, { earlier }).response;
    expect(idsOf(['call_0'], { ...responseContext(), translation })).not.toContain('call_0');
  });
});

test('calls after the first are dropped when parallel calls are disabled', () => {
  const chunks = [
    callChunk({ index: 0, id: 'c1', name: 'f', arguments: '{}' }),
    callChunk({ index: 1, id: 'c2', name: 'g', arguments: '{}' }),
  ];
  expect(callsOf(chunks, responseContext({ parallel_tool_calls: false }))).toMatchObject([{ call_id: 'c1' }]);
});

test('tools of a namespace come back under their own name', () => {
  const tools = [{ type: 'namespace', name: 'crm', tools: [{ type: 'function', name: 'find' }] }];
  const calls = callsOf(
    [callChunk({ index: 0, id: 'c', name: 'crm__find', arguments: '{}' })],
    responseContext({ tools }),
  );
  expect(calls).toMatchObject([{ type: 'function_call', name: 'find', namespace: 'crm' }]);
});

describe('custom tools', () => {
  const context = () => responseContext({ tools: [{ type: 'custom', name: 'patch' }] });
  const fragments = (...texts: string[]) => [
    callChunk({ index: 0, id: 'c', name: 'patch' }),
    ...texts.map((text) => callChunk({ index: 0, arguments: text })),
  ];

  test('their input is streamed', () => {
    const events = assertResponseStream(
      streamOf([...fragments('{"inp', 'ut": "a\\', 'nb', '\\u00', 'e4"}'), toolCalls], context()),
      {
        customTools: true,
      },
    );
    expect(linesOf(events).slice(2)).toEqual([
      'output_item.added #0 custom_tool_call in_progress',
      'custom_tool_call_input.delta #0 "a"',
      'custom_tool_call_input.delta #0 "\\nb"',
      'custom_tool_call_input.delta #0 "ä"',
      'custom_tool_call_input.done #0 "a\\nbä"',
      'output_item.done #0 custom_tool_call completed',
      'completed completed',
    ]);
  });

  test('they are calls of their own kind', () => {
    expect(callsOf(fragments('{"input":"x"}'), context())).toEqual([
      { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c', name: 'patch', input: 'x', status: 'completed' },
    ]);
  });

  test('functions beside them stay functions', () => {
    expect(callsOf([callChunk({ index: 0, id: 'c', name: 'other', arguments: '{}' })], context())).toMatchObject([
      { type: 'function_call', name: 'other' },
    ]);
  });
});
