import { z } from 'zod';
import { invalidRequest, unsupportedParameter } from '../failures.js';
import { parseBody } from './body.js';
import { messageFields, readMessages, type ChatMessage } from './chat-messages.js';
import { readToolUse, toolFields, type ToolUse } from './chat-tools.js';
import { limitFields, readSampling, readStopTexts, samplingFields, type Sampling } from './sampling.js';

/** A JSON schema, or `true` for any JSON object. */
export type JsonFormat = { readonly schema: unknown };

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly toolUse: ToolUse;
  /** The response must be JSON of this schema. */
  readonly format: JsonFormat | undefined;
  readonly sampling: Sampling;
  readonly stopTexts: readonly string[];
  /** Undefined: until the model ends or the context is full. */
  readonly maxTokens: number | undefined;
  /** Number of responses, produced one after the other. */
  readonly choices: number;
  /** Fields that have no effect. */
  readonly dropped: readonly string[];
  /** Extra variables for the chat template, such as `enable_thinking`. */
  readonly templateVariables: Readonly<Record<string, unknown>>;
}

const MAX_CHOICES = 8;

const chatBody = z.looseObject({
  messages: z.array(messageFields).min(1),
  ...toolFields,
  ...samplingFields,
  ...limitFields,
  max_completion_tokens: z.number().int().min(1).nullish(),
  n: z.number().int().min(1).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.number().nullish(),
  functions: z.unknown().optional(),
  function_call: z.unknown().optional(),
  response_format: z
    .looseObject({
      type: z.string(),
      json_schema: z.looseObject({ schema: z.unknown().optional() }).nullish(),
      schema: z.unknown().optional(),
    })
    .nullish(),
  reasoning_effort: z.string().nullish(),
  chat_template_kwargs: z.record(z.string(), z.unknown()).nullish(),
});

type ChatBody = z.output<typeof chatBody>;

function readFormat(format: ChatBody['response_format']): JsonFormat | undefined {
  switch (format?.type) {
    case undefined:
    case 'text':
      return undefined;
    case 'json_object':
      // A schema is an extension of llama-server.
      return { schema: format.schema ?? { type: 'object' } };
    case 'json_schema': {
      const schema = format.json_schema?.schema;
      if (schema == null) throw invalidRequest('response_format.json_schema.schema', 'json_schema needs a schema');
      return { schema };
    }
    default:
      throw invalidRequest('response_format.type', 'response_format must be text, json_object or json_schema');
  }
}

/** Only the effort `none` has a common template variable. */
const templateVariables = (body: ChatBody): Readonly<Record<string, unknown>> => ({
  ...(body.reasoning_effort != null && {
    reasoning_effort: body.reasoning_effort,
    ...(body.reasoning_effort === 'none' && { enable_thinking: false }),
  }),
  ...body.chat_template_kwargs,
});

/** Legacy fields, replaced by `tools` and `tool_choice`. */
const legacyFields = ({ functions, function_call: choice }: ChatBody): readonly string[] =>
  Array.isArray(functions) && functions.length > 0 ? ['functions', ...(choice == null ? [] : ['function_call'])] : [];

/** Fields of OpenAI's that change the response, and that this engine cannot honour. */
const withoutEffect = ['audio', 'logit_bias', 'moderation', 'verbosity', 'web_search_options'] as const;

function droppedFields(fields: ChatBody): readonly string[] {
  const dropped = [...legacyFields(fields), ...withoutEffect.filter((name) => fields[name] != null)];
  const { modalities } = fields;
  return Array.isArray(modalities) && modalities.some((kind) => kind !== 'text') ? [...dropped, 'modalities'] : dropped;
}

/** Unknown fields are ignored (docs/reference/api-behaviour.md#unknown-fields). @throws EngineFailure with the field */
export function parseChatRequest(body: Buffer): ChatRequest {
  const fields = parseBody(chatBody, body);
  if (fields.logprobs === true || (fields.top_logprobs ?? 0) > 0)
    throw unsupportedParameter('logprobs', 'this engine does not report log probabilities');
  const choices = fields.n ?? 1;
  if (choices > MAX_CHOICES) throw unsupportedParameter('n', `this engine produces at most ${MAX_CHOICES} choices`);
  return {
    messages: readMessages(fields.messages),
    toolUse: readToolUse(fields),
    format: readFormat(fields.response_format),
    sampling: readSampling(fields),
    stopTexts: readStopTexts(fields.stop),
    maxTokens: fields.max_completion_tokens ?? fields.max_tokens ?? undefined,
    choices,
    templateVariables: templateVariables(fields),
    dropped: droppedFields(fields),
  };
}
