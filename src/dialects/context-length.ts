/** Errors for requests longer than the context, with the texts by which clients of each dialect recognise them. */
import type { Dialect } from '../kernel/dialect.js';
import { FerryError } from '../kernel/errors/ferry-error.js';
import { protocols } from './protocols.js';

interface ContextExcess {
  /** null when not counted. */
  readonly promptTokens: number | null;
  /** The requested answer, when only that exceeds the context. */
  readonly maxTokens: number | null;
  /** The largest context available for the model; null when unknown. */
  readonly contextTokens: number | null;
  /** As the engine said it; its figures are kept where they were not understood. Absent or empty: it said nothing. */
  readonly engineMessage?: string;
}

/** 400 `context_length_exceeded`, which clients do not retry unchanged. */
export const contextLengthExceeded = (dialect: Dialect, excess: ContextExcess): FerryError =>
  new FerryError(
    'context_length_exceeded',
    (protocols[dialect].errors === 'anthropic'
      ? anthropicWords(excess)
      : openAiWords(excess, protocols[dialect].promptField)) + ownFigures(excess),
    {
      param: protocols[dialect].promptField,
      shouldRetry: false,
    },
  );

/** An estimate, or nothing, stands for a figure that is not known: what the engine said is then worth reading. */
function ownFigures({ promptTokens, contextTokens, engineMessage = '' }: ContextExcess): string {
  const isKnown = promptTokens !== null && contextTokens !== null;
  return isKnown || !/\d/.test(engineMessage) ? '' : ` (The engine: ${engineMessage})`;
}

/** Claude Code matches this text and parses its numbers. */
function anthropicWords({ promptTokens, maxTokens, contextTokens }: ContextExcess): string {
  if (contextTokens === null) return 'prompt is too long';
  if (promptTokens !== null && maxTokens !== null && promptTokens < contextTokens) {
    return `input length and \`max_tokens\` exceed context limit: ${promptTokens} + ${maxTokens} > ${contextTokens}`;
  }
  return `prompt is too long: ${countedAbove(promptTokens, contextTokens)} tokens > ${contextTokens} maximum`;
}

function openAiWords({ promptTokens, maxTokens, contextTokens }: ContextExcess, what: string): string {
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

/** A count not above the context is only an estimate, because the engine has refused the request. */
const countedAbove = (promptTokens: number | null, contextTokens: number): string =>
  promptTokens !== null && promptTokens > contextTokens ? String(promptTokens) : `at least ${contextTokens + 1}`;
