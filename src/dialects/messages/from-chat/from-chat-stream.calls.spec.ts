import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../kernel/json-object.js';
import { blocks, call, calls, chunk, factsOf, line } from '../../../../test/support/engine/message-events.js';
import { normalisedChunks } from '../../../../test/support/engine/normalised-chunks.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { MessageStream } from './from-chat-stream.js';

describe('tool calls', () => {
  it('tool calls in sequence become one block each, streamed in pieces', () => {
    expect(
      blocks([
        chunk({ content: 'Let me see.' }),
        calls(call(0, 'c1', 'f', '')),
        calls(call(0, undefined, undefined, '{"a"')),
        calls(call(0, undefined, undefined, ':1}')),
        calls(call(1, 'c2', 'g', '{')),
        calls(call(1, undefined, undefined, '}')),
        chunk({}, 'tool_calls'),
      ]),
    ).toEqual([
      'start 0 text',
      'delta 0 text_delta Let me see.',
      'stop 0',
      'start 1 tool_use c1 f',
      'delta 1 input_json_delta {"a"',
      'delta 1 input_json_delta :1}',
      'stop 1',
      'start 2 tool_use c2 g',
      'delta 2 input_json_delta {',
      'delta 2 input_json_delta }',
      'stop 2',
      'end tool_use',
    ]);
  });

  it('tool calls that interleave are sent one after the other', () => {
    expect(
      blocks([
        calls(call(0, 'c1', 'f', '{"a":'), call(1, 'c2', 'g', '{"b":')),
        calls(call(1, undefined, undefined, '2}'), call(0, undefined, undefined, '1}')),
        chunk({}, 'tool_calls'),
      ]),
    ).toEqual([
      'start 0 tool_use c1 f',
      'delta 0 input_json_delta {"a":',
      'delta 0 input_json_delta 1}',
      'stop 0',
      'start 1 tool_use c2 g',
      'delta 1 input_json_delta {"b":2}',
      'stop 1',
      'end tool_use',
    ]);
  });

  it('tool calls are closed before the engine ends once another block waits and their arguments are complete', () => {
    const stream = new MessageStream(factsOf());
    stream.push(calls(call(0, 'c1', 'f', '{"a":"}"}')));
    expect(stream.push(calls(call(1, 'c2', 'g', ''))).map(line)).toEqual(['stop 0', 'start 1 tool_use c2 g']);
  });

  it('followed by text keep their position', () => {
    expect(
      blocks([
        calls(call(0, 'c1', 'f', '{"a"')),
        chunk({ content: 'done' }),
        calls(call(0, undefined, undefined, ':1}')),
        chunk({ content: '!' }, 'stop'),
      ]),
    ).toEqual([
      'start 0 tool_use c1 f',
      'delta 0 input_json_delta {"a"',
      'delta 0 input_json_delta :1}',
      'stop 0',
      'start 1 text',
      'delta 1 text_delta done',
      'delta 1 text_delta !',
      'stop 1',
      'end tool_use',
    ]);
  });

  it('tool calls are limited to one when parallel calls are disabled', () => {
    const chunks = [calls(call(0, 'c1', 'f', '{}'), call(1, 'c2', 'g', '{}')), chunk({ content: 'a' }, 'tool_calls')];
    expect(blocks(chunks, { serialCalls: true })).toEqual([
      'start 0 tool_use c1 f',
      'delta 0 input_json_delta {}',
      'stop 0',
      'start 1 text',
      'delta 1 text_delta a',
      'stop 1',
      'end tool_use',
    ]);
  });

  it.each<[string, JsonObject[], string[]]>([
    ['no list', [chunk({ tool_calls: null }), chunk({ tool_calls: [] })], []],
    ['junk in the list', [chunk({ tool_calls: [null, 1, 'x'] })], []],
    [
      'the whole call in one chunk',
      [calls(call(0, 'c', 'f', '{"a":1}'))],
      ['start 0 tool_use c f', 'delta 0 input_json_delta {"a":1}', 'stop 0'],
    ],
    [
      'arguments as an object',
      [calls(call(0, 'c', 'f', { a: 1 }))],
      ['start 0 tool_use c f', 'delta 0 input_json_delta {"a":1}', 'stop 0'],
    ],
    [
      'no arguments at all',
      [calls(call(0, 'c', 'f', undefined))],
      ['start 0 tool_use c f', 'delta 0 input_json_delta {}', 'stop 0'],
    ],
    [
      'null for arguments',
      [calls(call(0, 'c', 'f', 'null'))],
      ['start 0 tool_use c f', 'delta 0 input_json_delta {}', 'stop 0'],
    ],
    [
      'malformed arguments in one piece',
      [calls(call(0, 'c', 'f', "{'a': 1}"))],
      ['start 0 tool_use c f', 'delta 0 input_json_delta {}', 'stop 0'],
    ],
    [
      'rubbish around the arguments',
      [calls(call(0, 'c', 'f', ' \n{"a":')), calls(call(0, '', '', '1}}</tool>'))],
      ['start 0 tool_use c f', 'delta 0 input_json_delta {"a":', 'delta 0 input_json_delta 1}', 'stop 0'],
    ],
    [
      'id and name in every fragment',
      [calls(call(0, 'c', 'f', '{"a"')), calls(call(0, 'c', 'f', ':1}'))],
      ['start 0 tool_use c f', 'delta 0 input_json_delta {"a"', 'delta 0 input_json_delta :1}', 'stop 0'],
    ],
    [
      'a name that comes late',
      [calls(call(0, 'c', undefined, '{"a"')), calls(call(0, undefined, 'f', ':1}'))],
      ['start 0 tool_use c f', 'delta 0 input_json_delta {"a":1}', 'stop 0'],
    ],
    ['no name', [calls(call(0, 'c', undefined, '{}'))], []],
    [
      'no ids',
      [calls(call(0, undefined, 'f', '{}'), call(1, '', 'f', '{}'))],
      [
        'start 0 tool_use toolu_1 f',
        'delta 0 input_json_delta {}',
        'stop 0',
        'start 1 tool_use toolu_2 f',
        'delta 1 input_json_delta {}',
        'stop 1',
      ],
    ],
    [
      'one id for all',
      [calls(call(0, 'call_0', 'f', '{}'), call(1, 'call_0', 'g', '{}'))],
      [
        'start 0 tool_use call_0 f',
        'delta 0 input_json_delta {}',
        'stop 0',
        'start 1 tool_use toolu_1 g',
        'delta 1 input_json_delta {}',
        'stop 1',
      ],
    ],
    [
      'the old function_call',
      [chunk({ function_call: { name: 'f', arguments: '{' } }), chunk({ function_call: { arguments: '}' } })],
      ['start 0 tool_use toolu_1 f', 'delta 0 input_json_delta {', 'delta 0 input_json_delta }', 'stop 0'],
    ],
    [
      'an id that no client could send back',
      [calls(call(0, 'call 0/ü', 'f', '{}'))],
      ['start 0 tool_use toolu_1 f', 'delta 0 input_json_delta {}', 'stop 0'],
    ],
  ])('tool calls are understood with %s', (_, chunks, expected) => {
    expect(blocks([...chunks, chunk({}, 'stop')]).slice(0, -1)).toEqual(expected);
  });

  it.each<[string, JsonObject[], string[]]>([
    [
      'one index for all',
      [calls(call(0, 'c1', 'f', '{"a":1}')), calls(call(0, 'c2', 'f', '{"a":2}'))],
      [
        'start 0 tool_use c1 f',
        'delta 0 input_json_delta {"a":1}',
        'stop 0',
        'start 1 tool_use c2 f',
        'delta 1 input_json_delta {"a":2}',
        'stop 1',
      ],
    ],
    [
      'no index',
      [calls(call(undefined, 'c1', 'f', '{"a":1}')), calls(call(undefined, 'c2', 'f', '{"a":2}'))],
      [
        'start 0 tool_use c1 f',
        'delta 0 input_json_delta {"a":1}',
        'stop 0',
        'start 1 tool_use c2 f',
        'delta 1 input_json_delta {"a":2}',
        'stop 1',
      ],
    ],
  ])('tool calls with %s are told apart before the dialect reads them', (_, chunks, expected) => {
    expect(blocks(normalisedChunks([...chunks, chunk({}, 'stop')])).slice(0, -1)).toEqual(expected);
  });

  it('tool calls without end fail the stream instead of exhausting memory', () => {
    const stream = new MessageStream(factsOf());
    stream.push(calls(call(0, 'c1', 'f', '{"a":')));
    const more = calls(call(1, 'c2', 'g', `{"b":"${'x'.repeat(1 << 20)}`));
    expect(() => {
      for (let megabytes = 0; megabytes < 20; megabytes += 1) stream.push(more);
    }).toThrow(FerryError);
  });
});
