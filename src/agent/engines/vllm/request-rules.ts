/** Adapts requests to vLLM (docs/reference/engines.md#vllm). */
import type { AdaptedRequest, EngineAdapter } from '../http/engine-adapter.js';
import { requestContinuousUsage, chatAdapter } from '../http/chat-adapter.js';
import { RequestFields } from '../http/request-fields.js';

const limitFields = ['max_completion_tokens', 'max_tokens'] as const;
const limits: ReadonlySet<string> = new Set(limitFields);

/** vLLM refuses a limit beyond its context. Without one it generates until the context is full. */
const adaptChat = chatAdapter(['stream_options', ...limitFields], (fields, wants, model) => {
  requestContinuousUsage(fields, wants);
  const context = model?.context_length ?? null;
  if (context === null) return;
  for (const name of limitFields) {
    const limit = fields.value(name);
    if (typeof limit !== 'number' || limit < context) continue;
    fields.remove(name);
    fields.reportDropped(name);
  }
});

export const adaptToVllm: NonNullable<EngineAdapter['adapt']> = (body, route, model, wants) => {
  if (route === 'chat') return adaptChat(body, route, model, wants);
  // Without a limit a completion has 16 tokens; one of the whole context is cut to what is left.
  const context = model?.context_length ?? null;
  return (context === null ? undefined : limitedTo(body, context)) ?? { body, dropped: [] };
};

/**
 * The request with limits of at most so many tokens, each changed one reported as dropped. Undefined when no limit of the client is higher.
 */
export function limitedTo(body: Buffer, responseTokens: number): AdaptedRequest | undefined {
  const fields = new RequestFields(body, limits);
  for (const name of limitFields) {
    const limit = fields.value(name);
    if (typeof limit !== 'number' || limit <= responseTokens) continue;
    fields.replace(name, responseTokens);
    fields.reportDropped(name);
  }
  return fields.dropped.length === 0 ? undefined : { body: fields.changedBody(), dropped: fields.dropped };
}
