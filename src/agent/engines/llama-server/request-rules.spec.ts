import { describe, expect, it } from '@jest/globals';
import type { ResponseOptions } from '../engine.js';
import { adaptToLlamaServer } from './llama-server-adapter.js';

const messages = [{ role: 'user', content: 'hello' }];
const tool = (name: string) => ({ type: 'function', function: { name, parameters: {} } });
const tools = [tool('a'), tool('b'), tool('c')];
const named = { type: 'function', function: { name: 'b' } };
const nothing: ResponseOptions = { matchedStop: false, promptTokens: false };
const adapt = (fields: object, wants: Partial<ResponseOptions> = {}) => {
  const body = Buffer.from(JSON.stringify({ messages, ...fields }));
  const adapted = adaptToLlamaServer(body, 'chat', undefined, { ...nothing, ...wants });
  expect(adapted.dropped).toEqual([]);
  return JSON.parse(adapted.body.toString()) as Record<string, unknown>;
};

describe('a malformed tool for llama-server', () => {
  it.each([
    [{ type: 'function' }, 'tools[1].function'],
    [{ type: 'function', function: { parameters: {} } }, 'tools[1].function.name'],
    [{ type: 'function', function: { name: 'b', parameters: 'none' } }, 'tools[1].function.parameters'],
    ['b', 'tools[1]'],
  ])(
    'a malformed tool for llama-server is refused before the server takes it for its own failure: %j',
    (malformed, param) => {
      expect(() => adapt({ tools: [tool('a'), malformed] })).toThrow(
        expect.objectContaining({ failure: expect.objectContaining({ code: 'invalid_request', status: 400, param }) }),
      );
    },
  );
});

describe('a chat request for llama-server', () => {
  it.each(['auto', 'required', null])(
    'a chat request for llama-server is unchanged byte for byte with the choice %j',
    (choice) => {
      const body = Buffer.from(JSON.stringify({ seed: 1, tools, tool_choice: choice, messages }));
      expect(adaptToLlamaServer(body, 'chat', undefined, nothing).body).toBe(body);
    },
  );

  it('a chat request for llama-server has only the named tool, and must call it', () => {
    expect(adapt({ tools, tool_choice: named })).toMatchObject({ tools: [tool('b')], tool_choice: 'required' });
  });

  it.each(['auto', 'required'] as const)(
    'a chat request for llama-server has only the allowed tools, in the mode %s',
    (mode) => {
      const choice = { type: 'allowed_tools', allowed_tools: { mode, tools: [tool('a'), tool('c')] } };
      expect(adapt({ tools, tool_choice: choice })).toMatchObject({ tools: [tool('a'), tool('c')], tool_choice: mode });
    },
  );

  it('a chat request for llama-server has no tools with the choice none', () => {
    expect(adapt({ tools, tool_choice: 'none' })).toMatchObject({ tools: null, tool_choice: null });
  });

  it('asks for the stop sequence only where the dialect reports it', () => {
    expect(adapt({ stop: ['5'] }, { matchedStop: true })).toMatchObject({ stop: ['5'], verbose: true });
    expect(adapt({ stop: ['5'], verbose: false }, { matchedStop: true })['verbose']).toBe(true);
    expect(adapt({ stop: ['5'] })).not.toHaveProperty('verbose');
  });

  it('asks for the prompt length only where the dialect reports it early', () => {
    expect(adapt({}, { promptTokens: true })).toMatchObject({ return_progress: true });
    expect(adapt({})).not.toHaveProperty('return_progress');
  });

  it('reports functions as not honoured', () => {
    const body = Buffer.from(JSON.stringify({ messages, functions: [{ name: 'f' }], function_call: 'auto' }));
    const adapted = adaptToLlamaServer(body, 'chat', undefined, nothing);
    expect(adapted.dropped).toEqual(['functions', 'function_call']);
    expect(adapted.body).toBe(body);
  });
});

it('leaves text completions unchanged', () => {
  const body = Buffer.from('{"prompt":"a","stop":["b"]}');
  expect(adaptToLlamaServer(body, 'completions', undefined, { matchedStop: true, promptTokens: true }).body).toBe(body);
});
