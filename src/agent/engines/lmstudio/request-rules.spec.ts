import { describe, expect, it } from '@jest/globals';
import { adaptToLmStudio } from './request-rules.js';

const tool = (name: string) => ({ type: 'function', function: { name } });
const adapt = (fields: object, format: string | null = 'gguf') => {
  const { body, dropped } = adaptToLmStudio(Buffer.from(JSON.stringify(fields)), 'chat', format);
  return { sent: JSON.parse(body.toString()) as Record<string, unknown>, dropped };
};

describe('a chat request for LM Studio', () => {
  it('goes as it is, to the byte, when there is nothing to say in another way', () => {
    const body = Buffer.from('{"seed":18446744073709551615,"n":1,"top_k":5,"tool_choice":"required","tools":[]}');
    const adapted = adaptToLmStudio(body, 'chat', 'gguf');
    expect(adapted.body).toBe(body);
    expect(adapted.dropped).toEqual([]);
  });

  it('names one tool by leaving only that, and requiring it', () => {
    const fields = { tools: [tool('a'), tool('b')], tool_choice: tool('b') };
    expect(adapt(fields)).toEqual({ sent: { tools: [tool('b')], tool_choice: 'required' }, dropped: [] });
  });

  it('allows some tools by leaving only those', () => {
    const choice = { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [tool('a')] } };
    const fields = { tools: [tool('a'), tool('b')], tool_choice: choice };
    expect(adapt(fields)).toEqual({ sent: { tools: [tool('a')], tool_choice: 'auto' }, dropped: [] });
  });

  it('cannot require a tool of an MLX model, and tells so', () => {
    const fields = { tools: [tool('a')], tool_choice: 'required' };
    expect(adapt(fields, 'mlx')).toEqual({
      sent: { tools: [tool('a')], tool_choice: 'auto' },
      dropped: ['tool_choice'],
    });
    expect(adapt(fields, null).dropped).toEqual([]);
  });

  it('asks for any JSON object in the form that LM Studio knows', () => {
    expect(adapt({ response_format: { type: 'json_object' } }).sent['response_format']).toMatchObject({
      type: 'json_schema',
      json_schema: { schema: { type: 'object' } },
    });
    expect(adapt({ response_format: { type: 'text' } }).sent['response_format']).toEqual({ type: 'text' });
  });

  it.each([{ n: 2 }, { logprobs: true }, { parallel_tool_calls: false }, { functions: [{ name: 'f' }] }])(
    'tells that %j has no effect',
    (fields) => {
      expect(adapt(fields).dropped).toEqual(Object.keys(fields));
    },
  );
});

it('a completion request for LM Studio tells what has no effect', () => {
  const body = Buffer.from(JSON.stringify({ prompt: 'a', best_of: 2, echo: true, logprobs: 3, n: 1 }));
  expect(adaptToLmStudio(body, 'completions', null)).toEqual({ body, dropped: ['best_of', 'echo', 'logprobs'] });
});
