import { describe, expect, it } from '@jest/globals';
import { adaptToOllama } from './request-rules.js';

const messages = [{ role: 'user', content: 'hello' }];
const tool = (name: string) => ({ type: 'function', function: { name, parameters: {} } });
const adapt = (fields: object, reasoning: boolean | null = null) => {
  const { body, dropped } = adaptToOllama(Buffer.from(JSON.stringify({ messages, ...fields })), 'chat', { reasoning });
  return { sent: JSON.parse(body.toString()) as Record<string, unknown>, dropped };
};

describe('a chat request for Ollama', () => {
  it('goes as it is, to the byte, when it asks for nothing that Ollama ignores', () => {
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
  ])('tells that %j has no effect', (fields) => {
    expect(adapt(fields).dropped).toEqual(Object.keys(fields));
  });

  it('has no tools when the client wants none called', () => {
    const { sent, dropped } = adapt({ tools: [tool('a')], tool_choice: 'none' });
    expect(sent['tools']).toBeNull();
    expect(dropped).toEqual([]);
  });

  it('has only the tool that the client names, and tells that the call cannot be enforced', () => {
    const choice = { type: 'function', function: { name: 'b' } };
    const { sent, dropped } = adapt({ tools: [tool('a'), tool('b')], tool_choice: choice });
    expect(sent['tools']).toEqual([tool('b')]);
    expect(dropped).toEqual(['tool_choice']);
    expect(adapt({ tools: [tool('a')], tool_choice: 'required' }).dropped).toEqual(['tool_choice']);
  });

  it('has only the tools that the client allows', () => {
    const choice = { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [tool('b')] } };
    const { sent, dropped } = adapt({ tools: [tool('a'), tool('b')], tool_choice: choice });
    expect(sent['tools']).toEqual([tool('b')]);
    expect(dropped).toEqual([]);
  });

  it.each([{ reasoning_effort: 'high' }, { reasoning: { effort: 'high' } }])(
    'goes without %j to a model that does not think, which would be refused',
    (fields) => {
      const { sent, dropped } = adapt(fields, false);
      const [name = ''] = Object.keys(fields);
      expect(sent[name]).toBeNull();
      expect(dropped).toEqual([name]);
      expect(adapt(fields, true)).toEqual({ sent: { messages, ...fields }, dropped: [] });
      expect(adapt(fields, null).dropped).toEqual([]);
    },
  );

  it('loses nothing when a model that does not think is told not to', () => {
    expect(adapt({ reasoning_effort: 'none' }, false).dropped).toEqual([]);
  });
});

describe('a completion request for Ollama', () => {
  it('tells what has no effect', () => {
    const body = Buffer.from(JSON.stringify({ prompt: 'a', best_of: 3, echo: true, n: 2, tool_choice: 'required' }));
    const adapted = adaptToOllama(body, 'completions', undefined);
    expect(adapted.dropped).toEqual(['n', 'best_of', 'echo']);
    expect(adapted.body).toBe(body);
  });
});
