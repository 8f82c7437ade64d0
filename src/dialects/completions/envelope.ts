/**
 * What the relay reads of a text completion request: the fields that docs/reference/public-api.md#create-a-text-completion names and what
 * docs/reference/translation.md#rejected-and-dropped-fields lists as 400.
 */
import { type JsonObject, isJsonObject, objectIn } from '../../kernel/json-object.js';
import type { Envelope } from '../envelope.js';
import {
  checkInteger,
  checkNumber,
  checkTextOrTexts,
  missingField,
  optionalFlag,
  requireBody,
  requireText,
} from '../field-checks.js';
import { noFields, type Requirements } from '../requirements.js';

const numbers = ['temperature', 'top_p'] as const;

export interface CompletionsEnvelope extends Envelope {
  readonly dialect: 'completions';
  /** Fields that the spec does not name are unchanged. */
  readonly body: JsonObject;
}

/** @throws FerryError 400 with the field at fault. */
export function readCompletionsEnvelope(json: unknown): CompletionsEnvelope {
  const body = requireBody(json);
  const model = requireText(body, 'model');
  checkPrompt(body);
  const stream = optionalFlag(body, 'stream');
  checkInteger(body, 'max_tokens');
  for (const name of numbers) checkNumber(body, name);
  checkTextOrTexts(body, 'stop');
  return { dialect: 'completions', model, stream, body };
}

/** One text, possibly empty, or a list for engines that take them: of texts, of tokens, or of lists of tokens. */
function checkPrompt(body: JsonObject): void {
  const { prompt } = body;
  if (typeof prompt === 'string') return;
  if (Array.isArray(prompt) && prompt.length > 0 && isUniform(prompt)) return;
  throw missingField(body, 'prompt', 'is required and must be a string, or a list of strings or of tokens');
}

const isToken = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;

const isUniform = (prompts: readonly unknown[]): boolean =>
  prompts.every((prompt) => typeof prompt === 'string') ||
  prompts.every(isToken) ||
  prompts.every((prompt) => Array.isArray(prompt) && prompt.length > 0 && prompt.every(isToken));

/** Only the engine's route is required, by the dialect itself: no media, no tools (docs/reference/requirements.md). Tolerates any JSON. */
export const completionsRequirements = (body: JsonObject): Requirements => ({
  hard: { inputs: noFields, tools: null },
  soft: {
    toolHistory: false,
    forcedTool: false,
    reasoning: false,
    structuredOutput: isJsonObject(body['guided_json']) || 'type' in objectIn(body, 'response_format'),
    logprobs: typeof body['logprobs'] === 'number',
    audioOutput: false,
  },
  remoteMedia: noFields,
});
