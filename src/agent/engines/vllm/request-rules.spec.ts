import { describe, expect, it } from '@jest/globals';
import type { EngineModel } from '../engine.js';
import { describeModel } from '../http/model-facts.js';
import { adaptToVllm } from './request-rules.js';

const model = (tokens: number | null): EngineModel =>
  describeModel('tiny', { state: 'loaded', dialects: ['chat'], context_length: tokens });
const adapt = (fields: object, tokens: number | null = 2_048, route: 'chat' | 'completions' = 'chat') => {
  const { body, dropped } = adaptToVllm(Buffer.from(JSON.stringify(fields)), route, model(tokens), undefined);
  return { sent: JSON.parse(body.toString()) as Record<string, unknown>, dropped };
};

describe('a chat request for vLLM', () => {
  it.each(['max_tokens', 'max_completion_tokens'])(
    'a chat request for vLLM has no %s that vLLM would refuse, and reports it',
    (field) => {
      expect(adapt({ [field]: 10_000_000 })).toEqual({ sent: { [field]: null }, dropped: [field] });
      expect(adapt({ [field]: 2_048 }).dropped).toEqual([field]);
      expect(adapt({ [field]: 2_047 })).toEqual({ sent: { [field]: 2_047 }, dropped: [] });
    },
  );

  it('keeps a limit when the context is not known', () => {
    expect(adapt({ max_tokens: 10_000_000 }, null).dropped).toEqual([]);
    expect(adapt({ max_tokens: 10_000_000 }, null, 'completions').dropped).toEqual([]);
  });

  it('a chat request for vLLM has a limit of the context for a completion, whose default is 16', () => {
    const cut = { sent: { max_tokens: 2_048 }, dropped: ['max_tokens'] };
    expect(adapt({ max_tokens: 10_000_000 }, 2_048, 'completions')).toEqual(cut);
    expect(adapt({ max_tokens: 2_048 }, 2_048, 'completions').dropped).toEqual([]);
  });
});
