import { describe, expect, it } from '@jest/globals';
import { adaptToLmStudio } from './request-rules.js';

const tool = (name: string) => ({ type: 'function', function: { name } });
const adapt = (fields: object, format: string | null = 'gguf') => {
  const { body, dropped } = adaptToLmStudio(Buffer.from(JSON.stringify(fields)), 'chat', format);
  return { sent: JSON.parse(body.toString()) as Record<string, unknown>, dropped };
};

describe('a chat request for LM Studio', () => {
  it('a chat request for LM Studio is unchanged byte for byte when nothing needs translation', () => {
    const body = Buffer.from('{"seed":18446744073709551615,"n":1,"top_k":5,"tool_choice":"required","tools":[]}');
    const adapted = adaptToLmStudio(body, 'chat', 'gguf');
    expect(adapted.body).toBe(body);
    expect(adapted.dropped).toEqual([]);
  });

  it('forces one tool by sending only that one as required', () => {
    const fields = { tools: [tool('a'), tool('b')], tool_choice: tool('b') };
    expect(adapt(fields)).toEqual({ sent: { tools: [tool('b')], tool_choice: 'required' }, dropped: [] });
  });

  it('restricts tools by sending only the allowed ones', () => {
    const choice = { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [tool('a')] } };
    const fields = { tools: [tool('a'), tool('b')], tool_choice: choice };
    expect(adapt(fields)).toEqual({ sent: { tools: [tool('a')], tool_choice: 'auto' }, dropped: [] });
  });

  it('a chat request for LM Studio cannot require a tool of an MLX model, and reports it', () => {
    const fields = { tools: [tool('a')], tool_choice: 'required' };
    expect(adapt(fields, 'mlx')).toEqual({
      sent: { tools: [tool('a')], tool_choice: 'auto' },
      dropped: ['tool_choice'],
    });
    expect(adapt(fields, null).dropped).toEqual([]);
  });

  it("requests a JSON object in LM Studio's format", () => {
    expect(adapt({ response_format: { type: 'json_object' } }).sent['response_format']).toMatchObject({
      type: 'json_schema',
      json_schema: { schema: { type: 'object' } },
    });
    expect(adapt({ response_format: { type: 'text' } }).sent['response_format']).toEqual({ type: 'text' });
  });

  it.each([{ n: 2 }, { logprobs: true }, { parallel_tool_calls: false }, { functions: [{ name: 'f' }] }])(
    'reports %j as not honoured',
    (fields) => {
      expect(adapt(fields).dropped).toEqual(Object.keys(fields));
    },
  );
});

it('a completion request for LM Studio reports fields not honoured', () => {
  const body = Buffer.from(JSON.stringify({ prompt: 'a', best_of: 2, echo: true, logprobs: 3, n: 1 }));
  expect(adaptToLmStudio(body, 'completions', null)).toEqual({ body, dropped: ['best_of', 'echo', 'logprobs'] });
});
