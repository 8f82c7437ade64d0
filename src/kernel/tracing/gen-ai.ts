/** Names and attributes of the semantic conventions for generative AI (https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/). */
import type { Dialect } from '../dialect.js';
import type { Attributes } from './span.js';

type Operation = 'chat' | 'text_completion' | 'embeddings' | 'rerank';

const otherOperations: Partial<Record<Dialect, Operation>> = {
  completions: 'text_completion',
  embeddings: 'embeddings',
  rerank: 'rerank',
};

export const operationOf = (dialect: Dialect): Operation => otherOperations[dialect] ?? 'chat';

export const spanNameOf = (operation: Operation, model: string): string => `${operation} ${model}`;

interface GenAiRequest {
  readonly dialect: Dialect;
  /** The provider is the responding side as the recorder sees it: the kind of an engine, or Ferry. */
  readonly provider: string;
  readonly model: string;
  readonly stream: boolean;
}

export const genAiAttributes = ({ dialect, provider, model, stream }: GenAiRequest): Attributes => ({
  'gen_ai.operation.name': operationOf(dialect),
  'gen_ai.provider.name': provider,
  'gen_ai.request.model': model,
  'gen_ai.request.stream': stream,
  'ferry.dialect': dialect,
});

interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number | null;
  readonly reasoning_tokens: number | null;
}

/** @param usage null: not known */
export const usageAttributes = (usage: Usage | null): Attributes =>
  usage === null
    ? {}
    : {
        'gen_ai.usage.input_tokens': usage.input_tokens,
        'gen_ai.usage.output_tokens': usage.output_tokens,
        'gen_ai.usage.cache_read.input_tokens': usage.cached_tokens ?? undefined,
        'gen_ai.usage.reasoning.output_tokens': usage.reasoning_tokens ?? undefined,
      };
