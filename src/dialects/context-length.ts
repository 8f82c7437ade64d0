/** A request that is longer than the context, in the words by which the clients of each dialect recognise it and shorten the conversation. */
import type { Dialect } from '../kernel/dialect.js';
import { FerryError } from '../kernel/errors/ferry-error.js';

export interface ContextExcess {
  /** null: nobody has counted. */
  readonly promptTokens: number | null;
  /** What the client asked for as an answer, where only that makes it too long. */
  readonly maxTokens: number | null;
  /** The largest context there is for this model; null: not known. */
  readonly contextTokens: number | null;
}

const promptFields: Record<Dialect, string> = {
  chat: 'messages',
  completions: 'prompt',
  responses: 'input',
  messages: 'messages',
};

/** 400 `context_length_exceeded`; no client repeats it as it is. */
export const contextLengthExceeded = (dialect: Dialect, excess: ContextExcess): FerryError =>
  new FerryError(
    'context_length_exceeded',
    dialect === 'messages' ? anthropicWords(excess) : openAiWords(excess, dialect),
    {
      param: promptFields[dialect],
      shouldRetry: false,
    },
  );

/** Claude Code looks for these words and reads the numbers from them. */
function anthropicWords({ promptTokens, maxTokens, contextTokens }: ContextExcess): string {
  if (contextTokens === null) return 'prompt is too long';
  if (promptTokens !== null && maxTokens !== null && promptTokens < contextTokens) {
    return `input length and \`max_tokens\` exceed context limit: ${promptTokens} + ${maxTokens} > ${contextTokens}`;
  }
  return `prompt is too long: ${countedAbove(promptTokens, contextTokens)} tokens > ${contextTokens} maximum`;
}

function openAiWords({ promptTokens, maxTokens, contextTokens }: ContextExcess, dialect: Dialect): string {
  const what = promptFields[dialect];
  if (contextTokens === null)
    return `The ${what} exceed the maximum context length of this model. Please reduce the length of the ${what}.`;
  const maximum = `This model's maximum context length is ${contextTokens} tokens.`;
  if (promptTokens !== null && maxTokens !== null && promptTokens < contextTokens) {
    return (
      `${maximum} However, you requested ${promptTokens + maxTokens} tokens (${promptTokens} in the ${what}, ${maxTokens} in the ` +
      `completion). Please reduce the length of the ${what} or completion.`
    );
  }
  const counted = countedAbove(promptTokens, contextTokens);
  return `${maximum} However, your ${what} resulted in ${counted} tokens. Please reduce the length of the ${what}.`;
}

/** A count that is not above the context is a rough one, or none: the engine that refused the request knew better. */
const countedAbove = (promptTokens: number | null, contextTokens: number): string =>
  promptTokens !== null && promptTokens > contextTokens ? String(promptTokens) : `at least ${contextTokens + 1}`;
