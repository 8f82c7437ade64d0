/**
 * Recognises error messages for requests that exceed the context of the model (docs/reference/engines.md#capability-refusals). Engines use
 * a 400, a 500 or an error within a response; here it is always a client error, with the sizes as far as the message contains them.
 */
import type { ContextOverflow } from '../../../link/messages.js';
import { EngineFailure } from '../engine.js';
import type { ParsedError } from './error-parser.js';

/** Unambiguous values of `error.type` and `error.code`. */
const kinds: ReadonlySet<string> = new Set(['exceed_context_size_error', 'context_length_exceeded']);

const words: readonly RegExp[] = [
  // llama.cpp, LocalAI, Ollama.
  /exceeds? (?:the |its )?(?:available |maximum |model'?s? |allowed )*context (?:size|length|window|limit)/i,
  /context (?:size|length|window|limit) (?:has been |was |is )?exceeded/i,
  // Ollama.
  /prompt is longer than the context length/i,
  // vLLM, SGLang, TensorRT-LLM, OpenAI and its many followers.
  /maximum context length (?:is|of) \d|longer than the (?:model's context length|maximum model length)/i,
  /model's context length is only|exceeds the maximum allowed length/i,
  // LM Studio.
  /context (?:the )?overflows|tokens to keep from the initial prompt|n_keep.*>=.*n_ctx/i,
  // Text Generation Inference.
  /`inputs` (?:tokens \+ `max_new_tokens` )?must (?:have less than|be <=)/i,
  // ExLlama's servers, Anthropic and its followers.
  /greater than max_seq_len|prompt is too long\b|input length and `max_tokens` exceed/i,
];

type Size = 'prompt' | 'answer' | 'context';

/** Patterns of the sizes in such messages; the first match of each size counts. */
const numbers: readonly RegExp[] = [
  /request \((?<prompt>\d+) tokens\) exceeds the available context size \((?<context>\d+) tokens\)/i,
  /maximum context length (?:is|of) (?<context>\d+)/i,
  /\((?<prompt>\d+) (?:in|from) the (?:messages|prompt|input)[^,]*, (?<answer>\d+) (?:in|for) the completion\)/i,
  /passed (?<prompt>\d+) input tokens and requested (?<answer>\d+) output tokens/i,
  /prompt contains (?:at least )?(?<prompt>\d+) input tokens/i,
  /context length is only (?<context>\d+)/i,
  /is too large: (?<answer>\d+).*request has (?<prompt>\d+) input tokens/i,
  /\(length (?<prompt>\d+)\) is longer than the maximum model length of (?<context>\d+)/i,
  /input \((?<prompt>\d+) tokens\) is longer than the model's context length \((?<context>\d+)/i,
  /(?<prompt>\d+) tokens from the input messages and (?<answer>\d+) tokens for the completion/i,
  /input length \((?<prompt>\d+) tokens\) exceeds the maximum allowed length \((?<context>\d+)/i,
  /resulted in (?<prompt>\d+) tokens/i,
  /keep the first (?<prompt>\d+) tokens/i,
  /context length of only (?<context>\d+)/i,
  /n_keep\D*(?<prompt>\d+)\D*n_ctx\D*(?<context>\d+)/i,
  /must have less than (?<context>\d+) tokens\. Given: (?<prompt>\d+)/i,
  /must be <= (?<context>\d+)\. Given: (?<prompt>\d+) `inputs` tokens and (?<answer>\d+)/i,
  /(?<prompt>\d+) (?:tokens > |is greater than max_seq_len )(?<context>\d+)/i,
  /exceed context limit: (?<prompt>\d+) \+ (?<answer>\d+) > (?<context>\d+)/i,
];

/** Undefined when the engine's error is about something else. */
export function contextRefusal(error: ParsedError): EngineFailure | undefined {
  const { message, kinds: named, promptTokens, contextTokens } = error;
  if (!named.some((kind) => kinds.has(kind)) && !words.some((pattern) => pattern.test(message))) return undefined;
  const reported = sizesIn(message);
  const prompt = promptTokens ?? reported.get('prompt') ?? null;
  const context = contextTokens ?? reported.get('context') ?? null;
  const fitsAlone = prompt !== null && context !== null && prompt < context;
  return tooLong(message, {
    prompt_tokens: prompt,
    max_tokens: fitsAlone ? (reported.get('answer') ?? null) : null,
    context_tokens: context,
  });
}

/** The failure for a request that exceeds the context. */
export const tooLong = (message: string, overflow: ContextOverflow, options?: ErrorOptions): EngineFailure =>
  new EngineFailure(
    {
      code: 'engine_rejected_request',
      status: 400,
      message,
      param: 'messages',
      retry_after_seconds: null,
      context_overflow: overflow,
    },
    options,
  );

function sizesIn(message: string): ReadonlyMap<Size, number> {
  const sizes = new Map<Size, number>();
  for (const pattern of numbers) {
    const groups: Partial<Record<Size, string>> = pattern.exec(message)?.groups ?? {};
    for (const size of ['prompt', 'answer', 'context'] as const) {
      const value = Number(groups[size]);
      if (Number.isSafeInteger(value) && !sizes.has(size)) sizes.set(size, value);
    }
  }
  return sizes;
}
