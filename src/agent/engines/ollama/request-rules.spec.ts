import { describe, expect, it } from '@jest/globals';
import { adaptToOllama } from './request-rules.js';

const messages = [{ role: 'user', content: 'hello' }];
const tool = (name: string) => ({ type: 'function', function: { name, parameters: {} } });
const adapt = (fields: object, reasoning: boolean | null = null) => {
  const { body, dropped } = adaptToOllama(Buffer.from(JSON.stringify({ messages, ...fields })), 'chat', { reasoning });
  return { sent: JSON.parse(body.toString()) as Record<string, unknown>, dropped };
};

describe('a chat request for Ollama', () => {
  it('a chat request for Ollama is unchanged byte for byte without fields that Ollama ignores', () => {
    const body = Buffer.from(
      '{"seed":18446744073709551615,"n":1,"logit_bias":{},"tools":[],"tool_choice":"auto","parallel_tool_calls":true,' +
        '"user":"u","metadata":{"a":"b"},"top_k":null}',
    );
    const adapted = adaptToOllama(body, 'chat', { reasoning: false });
    expect(adapted.body).toBe(body);
    expect(adapted.dropped).toEqual([]);
  });

  it.each<[object]>([
    [{ n: 2 }],
    [{ logit_bias: { '50256': -100 } }],
    [{ parallel_tool_calls: false }],
    [{ functions: [{ name: 'f' }] }],
    [{ top_k: 40 }],
    [{ min_p: 0.05 }],
    [{ repetition_penalty: 1.1 }],
  ])('reports %j as not honoured', (fields) => {
    expect(adapt(fields).dropped).toEqual(Object.keys(fields));
  });

  it('a chat request for Ollama has objects in place of boolean schemas, and booleans as values where the client wrote them', () => {
    const parameters = (any: string, none: string): string =>
      `{"type":"object","properties":{"raw":${any},"const":{"const":true,"default":false,"enum":[true]},"list":{"items":${any},"uniqueItems":true}},` +
      `"items":[${none}],"anyOf":[${any},{"not":${none}}],"$defs":{"x":${any}},"additionalProperties":${none},"maximum":9223372036854775807}`;
    const body = (schema: string): string =>
      `{"tools":[{"type":"function","function":{"name":"f","strict":true,"parameters":${schema}}}],"stream":true}`;
    const { body: sent } = adaptToOllama(Buffer.from(body(parameters('true', 'false'))), 'chat', { reasoning: null });
    expect(sent.toString()).toBe(body(parameters('{}', '{"not":{}}')));
  });

  it.each(['max_tokens', 'max_completion_tokens'])(
    'a chat request for Ollama is refused with %s 0, which Ollama would take for no limit',
    (field) => {
      expect(() => adapt({ [field]: 0 })).toThrow(
        expect.objectContaining({ failure: expect.objectContaining({ status: 400, param: field }) }),
      );
    },
  );

  it('a chat request for Ollama has no tools with the choice none', () => {
    const { sent, dropped } = adapt({ tools: [tool('a')], tool_choice: 'none' });
    expect(sent['tools']).toBeNull();
    expect(dropped).toEqual([]);
  });

  it('a chat request for Ollama has only the named tool, and reports that the call is not enforced', () => {
    const choice = { type: 'function', function: { name: 'b' } };
    const { sent, dropped } = adapt({ tools: [tool('a'), tool('b')], tool_choice: choice });
    expect(sent['tools']).toEqual([tool('b')]);
    expect(dropped).toEqual(['tool_choice']);
    expect(adapt({ tools: [tool('a')], tool_choice: 'required' }).dropped).toEqual(['tool_choice']);
  });

  it('a chat request for Ollama has only the allowed tools', () => {
    const choice = { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [tool('b')] } };
    const { sent, dropped } = adapt({ tools: [tool('a'), tool('b')], tool_choice: choice });
    expect(sent['tools']).toEqual([tool('b')]);
    expect(dropped).toEqual([]);
  });

  it.each([{ reasoning_effort: 'high' }, { reasoning: { effort: 'high' } }])(
    'omits %j for a model without reasoning, which would refuse it',
    (fields) => {
      const { sent, dropped } = adapt(fields, false);
      const [name = ''] = Object.keys(fields);
      expect(sent[name]).toBeNull();
      expect(dropped).toEqual([name]);
      expect(adapt(fields, true)).toEqual({ sent: { messages, ...fields }, dropped: [] });
      expect(adapt(fields, null).dropped).toEqual([]);
    },
  );

  it('keeps disabled thinking for a model without reasoning', () => {
    expect(adapt({ reasoning_effort: 'none' }, false).dropped).toEqual([]);
  });
});

describe('a completion request for Ollama', () => {
  it('reports fields not honoured', () => {
    const body = Buffer.from(JSON.stringify({ prompt: 'a', best_of: 3, echo: true, n: 2, tool_choice: 'required' }));
    const adapted = adaptToOllama(body, 'completions', undefined);
    expect(adapted.dropped).toEqual(['n', 'best_of', 'echo']);
    expect(adapted.body).toBe(body);
  });
});
