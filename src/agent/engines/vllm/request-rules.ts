/** Adapts chat requests to vLLM (docs/reference/engines.md#vllm). */
import { askForContinuousUsage, chatAdapter } from '../http/chat-adapter.js';

const limitFields = ['max_completion_tokens', 'max_tokens'] as const;

/**
 * vLLM refuses a limit beyond its context. Without one it generates until the context is full, which is then less than what was asked for.
 */
export const adaptToVllm = chatAdapter(['stream_options', ...limitFields], (fields, wants, model) => {
  askForContinuousUsage(fields, wants);
  const context = model?.context_length ?? null;
  if (context === null) return;
  for (const name of limitFields) {
    const limit = fields.value(name);
    if (typeof limit !== 'number' || limit < context) continue;
    fields.remove(name);
    fields.reportDropped(name);
  }
});
