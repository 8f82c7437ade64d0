import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../kernel/json-object.js';
import { responsesToChat } from './to-chat.js';

const translate = (fields: JsonObject) => responsesToChat({ model: 'tiny', input: 'hi', ...fields }, { earlier: [] });
const toolFields = (fields: JsonObject): JsonObject => {
  const { tools, tool_choice, parallel_tool_calls } = translate(fields).body;
  return {
    ...(tools !== undefined && { tools }),
    ...(tool_choice !== undefined && { tool_choice }),
    ...(parallel_tool_calls !== undefined && { parallel_tool_calls }),
  };
};
const names = (fields: JsonObject): unknown =>
  (toolFields(fields)['tools'] as { function: { name: string } }[] | undefined)?.map((tool) => tool.function.name);

const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const weather = { type: 'function', name: 'get_weather', description: 'Weather', parameters, strict: true };
const time = { type: 'function', name: 'get_time' };
const crm = {
  type: 'namespace',
  name: 'crm',
  tools: [{ type: 'function', name: 'find' }, { type: 'custom', name: 'note' }, { type: 'web_search' }],
};

describe('declarations', () => {
  test('a function', () => {
    expect(toolFields({ tools: [weather] })).toEqual({
      tools: [
        { type: 'function', function: { name: 'get_weather', description: 'Weather', parameters, strict: true } },
      ],
    });
  });

  test('a function with only a name', () => {
    const bare = { ...time, description: null, parameters: null, strict: null };
    expect(toolFields({ tools: [bare] })).toEqual({
      tools: [{ type: 'function', function: { name: 'get_time', parameters: { type: 'object', properties: {} } } }],
    });
  });

  test('a custom tool is a function with one argument; its grammar goes into the description', () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: WORD' };
    expect(toolFields({ tools: [{ type: 'custom', name: 'patch', description: 'Patches', format }] })).toEqual({
      tools: [
        {
          type: 'function',
          function: {
            name: 'patch',
            description: 'Patches\n\nThe input must follow this lark grammar:\nstart: WORD',
            parameters: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
          },
        },
      ],
    });
  });

  test('a namespace is flattened, and its names map back', () => {
    const { response, dropped } = translate({ tools: [crm, time] });
    expect(names({ tools: [crm, time] })).toEqual(['crm__find', 'crm__note', 'get_time']);
    expect(response.tools.get('crm__find')).toMatchObject({ kind: 'function', name: 'find', namespace: 'crm' });
    expect(response.tools.get('crm__note')).toMatchObject({ kind: 'custom', name: 'note', namespace: 'crm' });
    expect(dropped).toEqual(['tools[0].tools[2]']);
  });

  test('flattened names that collide or are too long stay unique and short', () => {
    const long = 'x'.repeat(64);
    const tools = [
      { type: 'function', name: 'crm__find' },
      crm,
      { type: 'namespace', name: long, tools: [time, weather] },
    ];
    const flattened = names({ tools }) as string[];
    expect(flattened.slice(0, 2)).toEqual(['crm__find', 'crm__find_2']);
    expect(new Set(flattened).size).toBe(5);
    expect(Math.max(...flattened.map((name) => name.length))).toBeLessThanOrEqual(64);
  });

  test('hosted tools are left out', () => {
    expect(toolFields({ tools: [{ type: 'web_search' }], tool_choice: 'auto', parallel_tool_calls: true })).toEqual({});
  });

  test('earlier calls name a tool as the engine sees it', () => {
    const input = [{ type: 'function_call', call_id: 'c', name: 'find', namespace: 'crm', arguments: '{}' }];
    expect(translate({ input, tools: [crm] }).body['messages']).toMatchObject([
      { tool_calls: [{ function: { name: 'crm__find' } }] },
      { role: 'tool' },
    ]);
  });
});

describe('the choice', () => {
  const tools = [weather, time];
  const chosen = { type: 'function', function: { name: 'get_time' } };

  test.each<[string, unknown, unknown]>([
    ['auto', 'auto', 'auto'],
    ['required', 'required', 'required'],
    ['a function', { type: 'function', name: 'get_time' }, chosen],
    ['nothing', null, undefined],
  ])('%s', (_, choice, expected) => {
    const fields = toolFields({ tools, tool_choice: choice });
    expect(fields['tool_choice']).toEqual(expected);
    expect(fields['tools']).toHaveLength(2);
  });

  test('none sends no tools, because some engines ignore the choice', () => {
    expect(toolFields({ tools, tool_choice: 'none', parallel_tool_calls: false })).toEqual({});
  });

  test('a custom or namespaced tool is chosen by its name at the engine', () => {
    const choose = (name: string, type: string) =>
      toolFields({ tools: [crm], tool_choice: { type, name } })['tool_choice'];
    expect(choose('note', 'custom')).toEqual({ type: 'function', function: { name: 'crm__note' } });
    expect(choose('find', 'function')).toEqual({ type: 'function', function: { name: 'crm__find' } });
  });

  test.each(['auto', 'required'])('only allowed tools are sent to the engine, mode %s', (mode) => {
    const choice = {
      type: 'allowed_tools',
      mode,
      tools: [{ type: 'function', name: 'get_time' }, { type: 'web_search' }],
    };
    expect(names({ tools, tool_choice: choice })).toEqual(['get_time']);
    expect(toolFields({ tools, tool_choice: choice })['tool_choice']).toBe(mode);
  });

  test('parallel_tool_calls is passed on', () => {
    expect(toolFields({ tools, parallel_tool_calls: false })).toMatchObject({ parallel_tool_calls: false });
    expect(translate({ tools, parallel_tool_calls: false }).response.parallelToolCalls).toBe(false);
    expect(translate({ tools }).response.parallelToolCalls).toBe(true);
  });
});
