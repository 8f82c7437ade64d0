/** A tool call runs once, whatever an engine makes of ids, indices and fragments (docs/reference/engines.md#tool-calls). */
import { describe, expect, it } from '@jest/globals';
import { conversationRoutes, hear, type Heard } from '../support/client/received-response.js';
import type { FakeEngine } from '../support/engine/fake-engine.js';
import { DONE, shareFakeEngine, streams, wholeOf } from '../support/engine/shared-fake-engine.js';
import type { Tenant } from '../support/process/tenant.js';

type Json = Record<string, unknown>;

const LIST = '{"cmd":"list"}';
const HERE = '{"cmd":"here"}';

let relay: Tenant;
let engine: FakeEngine;

shareFakeEngine((tenant, started) => {
  relay = tenant;
  engine = started;
});

/** One fragment; undefined members are left out. */
const part = (index: unknown, id: unknown, name: unknown, text?: unknown, more: Json = {}): Json => ({
  index,
  id,
  ...(id !== undefined && { type: 'function' }),
  function: { name, arguments: text },
  ...more,
});

/** Each fragment in a chunk of its own, or several together. */
const says = (...chunks: (Json | unknown[])[]) =>
  streams(
    ...chunks.map((calls) => ({ delta: { tool_calls: Array.isArray(calls) ? calls : [calls] } })),
    {
      finish: 'tool_calls',
    },
    DONE,
  );

const run = (text: string): string => `run ${text}`;
const compact = (text: string): string => JSON.stringify(JSON.parse(text === '' ? '{}' : text));
const callsOf = ({ calls }: Heard): string[] => calls.map(({ name, arguments: text }) => `${name} ${compact(text)}`);

describe.each(conversationRoutes)('through %s, a streamed call', (route) => {
  const spellings: readonly [string, (Json | unknown[])[], string[]][] = [
    [
      'said again under the next index with its id is one call',
      [part(0, 'a', 'run', ''), part(0, 'a', undefined, LIST), part(1, 'a', 'run', LIST)],
      [run(LIST)],
    ],
    [
      'said again in fragments under the next index is one call',
      [
        part(0, 'a', 'run', LIST),
        part(1, 'a', 'run', ''),
        part(1, undefined, undefined, '{"cmd": '),
        part(1, undefined, undefined, '"list"}'),
      ],
      [run(LIST)],
    ],
    [
      'said again under the next index without its id is one call',
      [part(0, 'a', 'run', LIST), part(1, undefined, 'run', LIST)],
      [run(LIST)],
    ],
    [
      'without an id, beside one with another id and other arguments, is another',
      [part(0, 'a', 'run', LIST), part(1, undefined, 'run', ''), part(1, undefined, undefined, HERE)],
      [run(LIST), run(HERE)],
    ],
    [
      'with the id of another and other arguments is another',
      [part(0, 'a', 'run', LIST), part(1, 'a', 'run', HERE)],
      [run(LIST), run(HERE)],
    ],
    [
      'with the id of another and another name is another',
      [part(0, 'a', 'run', LIST), part(1, 'a', 'look', LIST)],
      [run(LIST), `look ${LIST}`],
    ],
    [
      'whose index is counted with every fragment is one call',
      [part(0, 'a', 'run', ''), part(1, 'a', 'run', '{"cmd":'), part(2, 'a', 'run', '"list"}')],
      [run(LIST)],
    ],
    [
      'announced under one index and said under the next is one call',
      [part(0, 'a', 'run', ''), part(1, 'a', undefined, LIST)],
      [run(LIST)],
    ],
    [
      'that shares its index with another is told from it by the id',
      [part(0, 'a', 'run', LIST), part(0, 'b', 'run', LIST)],
      [run(LIST), run(LIST)],
    ],
    [
      'that shares its index with another is told from it by the name',
      [part(0, undefined, 'run', ''), part(0, undefined, 'look', LIST)],
      ['run {}', `look ${LIST}`],
    ],
    [
      'that shares its index with another is told from it by closed arguments',
      [part(0, undefined, 'run', LIST), part(0, undefined, undefined, HERE)],
      [run(LIST), run(HERE)],
    ],
    ['whose arguments hold two objects is two calls', [part(0, 'a', 'run', LIST + HERE)], [run(LIST), run(HERE)]],
    [
      'whose arguments are sent again as a whole keeps them once',
      [part(0, 'a', 'run', '{"cmd"'), part(0, undefined, undefined, ':"list"}'), part(0, 'a', 'run', LIST)],
      [run(LIST)],
    ],
    [
      'whose arguments are sent again as a whole before their end keeps them once',
      [part(0, 'a', 'run', '{"cmd"'), part(0, undefined, undefined, ':"li'), part(0, undefined, undefined, LIST)],
      [run(LIST)],
    ],
    [
      'whose arguments are sent again with other spaces keeps them once',
      [part(0, 'a', 'run', LIST), part(0, undefined, undefined, '{ "cmd": "list" }')],
      [run(LIST)],
    ],
    [
      'without usable ids, types and arguments has them',
      [part(0, undefined, 'run', null, { type: '' }), part(0, '', '', LIST), part(1, 7, 'run', HERE)],
      [run(LIST), run(HERE)],
    ],
    ['whose id comes late is one call', [part(0, undefined, 'run', ''), part(0, 'late', undefined, LIST)], [run(LIST)]],
    ['whose id comes last is one call', [part(0, undefined, 'run', LIST), part(0, 'late', undefined, '')], [run(LIST)]],
    [
      'whose name comes late is one call',
      [part(0, 'a', undefined, '{"cmd":'), part(0, undefined, 'run', '"list"}')],
      [run(LIST)],
    ],
    [
      'with a new id in every fragment is one call',
      [part(0, 'a', 'run', '{"cmd":'), part(0, 'b', undefined, '"list"}')],
      [run(LIST)],
    ],
    [
      'with id and name in every fragment is one call',
      [part(0, 'a', 'run', '{"cmd":'), part(0, 'a', 'run', '"list"}')],
      [run(LIST)],
    ],
    ['with arguments as an object', [part(0, 'a', 'run', { cmd: 'list' })], [run(LIST)]],
    ['without index', [part(undefined, 'a', 'run', LIST), part(undefined, 'b', 'run', HERE)], [run(LIST), run(HERE)]],
    [
      'with its index as a text',
      [part('0', 'a', 'run', '{"cmd":'), part('0', undefined, undefined, '"list"}')],
      [run(LIST)],
    ],
    ['counted from 1', [part(1, 'a', 'run', LIST), part(2, 'b', 'run', HERE)], [run(LIST), run(HERE)]],
    ['without the level of the function', [{ index: 0, id: 'a', name: 'run', arguments: LIST }], [run(LIST)]],
    [
      'mixed with another',
      [
        [part(0, 'a', 'run', ''), part(1, 'b', 'run', '')],
        [part(1, undefined, undefined, '{"cmd":'), part(0, undefined, undefined, '{"cmd":')],
        [part(0, undefined, undefined, '"list"}'), part(1, undefined, undefined, '"here"}')],
      ],
      [run(LIST), run(HERE)],
    ],
    ['beside junk', [[null, part(0, 'a', 'run', LIST), 'x']], [run(LIST)]],
  ];

  it.each(spellings)('%s', async (_what, chunks, expected) => {
    engine.respond = says(...chunks);
    const heard = await hear(relay, route, true);
    expect(callsOf(heard)).toEqual(expected);
    expect(heard.ended).toBe('tool_calls');
    const ids = heard.calls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('keeps an id that is new and a text', async () => {
    engine.respond = says(part(0, 'call-x_1', 'run', LIST));
    expect((await hear(relay, route, true)).calls).toEqual([{ id: 'call-x_1', name: 'run', arguments: LIST }]);
  });

  it('makes an answer that ends with stop one with calls', async () => {
    engine.respond = streams({ delta: { tool_calls: [part(0, 'a', 'run', LIST)] } }, { finish: 'STOP' }, DONE);
    expect(await hear(relay, route, true)).toMatchObject({ ended: 'tool_calls' });
  });

  it('behind an early end is not lost', async () => {
    const call = { delta: { tool_calls: [part(0, 'a', 'run', LIST)] } };
    engine.respond = streams({ text: 'So', finish: 'stop' }, call, { finish: 'stop' }, DONE);
    const heard = await hear(relay, route, true);
    expect([heard.text, heard.ended, ...callsOf(heard)]).toEqual(['So', 'tool_calls', run(LIST)]);
  });

  it('that is never named fails the answer', async () => {
    engine.respond = says(part(0, 'a', undefined, LIST));
    expect(await hear(relay, route, true)).toMatchObject({ ended: 'failed' });
  });
});

describe.each(conversationRoutes)('through %s, a call of a whole answer', (route) => {
  const responses = (...calls: unknown[]): void => {
    engine.respond = (call) =>
      call.json(200, wholeOf(call, '', { message: { content: null, tool_calls: calls }, finish_reason: 'stop' }));
  };
  const whole = (id: unknown, name: unknown, text?: unknown, more: Json = {}): Json => ({
    id,
    type: 'function',
    function: { name, arguments: text },
    ...more,
  });

  it.each<[string, unknown[], string[]]>([
    ['as it should be', [whole('a', 'run', LIST), whole('b', 'run', HERE)], [run(LIST), run(HERE)]],
    ['with the id of another', [whole('a', 'run', LIST), whole('a', 'run', HERE)], [run(LIST), run(HERE)]],
    ['that is in the list twice', [whole('a', 'run', LIST), whole('a', 'run', '{"cmd": "list"}')], [run(LIST)]],
    [
      'without ids and types',
      [whole(undefined, 'run', LIST, { type: '' }), whole(7, 'look', LIST)],
      [run(LIST), `look ${LIST}`],
    ],
    ['without arguments', [whole('a', 'run', null)], ['run {}']],
    ['with arguments as an object', [whole('a', 'run', { cmd: 'list' })], [run(LIST)]],
    [
      'whose indices are all 0',
      [whole('a', 'run', LIST, { index: 0 }), whole('b', 'run', HERE, { index: 0 })],
      [run(LIST), run(HERE)],
    ],
    ['that is no list', [whole('a', 'run', LIST)], [run(LIST)]],
  ])('%s', async (_what, calls, expected) => {
    responses(...calls);
    const heard = await hear(relay, route, false);
    expect(callsOf(heard)).toEqual(expected);
    expect(heard.ended).toBe('tool_calls');
    const ids = heard.calls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => typeof id === 'string' && id !== '')).toBe(true);
  });
});

describe.each([true, false])('ids of earlier calls are not given again (stream: %s)', (stream) => {
  const response = (id: string): void => {
    engine.respond = (call) =>
      stream
        ? says(part(0, id, 'run', HERE))(call)
        : call.json(200, wholeOf(call, '', { message: { tool_calls: [part(undefined, id, 'run', HERE)] } }));
  };
  const histories: Readonly<Record<(typeof conversationRoutes)[number], (id: string) => Json>> = {
    chat: (id) => ({
      messages: [
        { role: 'user', content: 'a' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id, type: 'function', function: { name: 'run', arguments: LIST } }],
        },
        { role: 'tool', tool_call_id: id, content: 'x' },
        { role: 'user', content: 'again' },
      ],
    }),
    responses: (id) => ({
      input: [
        { role: 'user', content: 'a' },
        { type: 'function_call', call_id: id, name: 'run', arguments: LIST },
        { type: 'function_call_output', call_id: id, output: 'x' },
        { role: 'user', content: 'again' },
      ],
    }),
    messages: (id) => ({
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: [{ type: 'tool_use', id, name: 'run', input: { cmd: 'list' } }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: id, content: 'x' },
            { type: 'text', text: 'again' },
          ],
        },
      ],
    }),
  };

  it.each(conversationRoutes)('through %s', async (route) => {
    response('call_0');
    const [repeated] = (await hear(relay, route, stream, histories[route]('call_0'))).calls;
    expect(repeated).toMatchObject({ name: 'run', id: expect.stringMatching(/^\w{8,64}$/) });
    expect(repeated?.id).not.toBe('call_0');
    response('call_1');
    expect((await hear(relay, route, stream, histories[route]('call_0'))).calls).toMatchObject([{ id: 'call_1' }]);
  });

  it('through chat, with names that only the model knows', async () => {
    response('functions.run:0');
    expect((await hear(relay, 'chat', stream)).calls).toMatchObject([{ id: 'functions.run:0' }]);
  });
});
