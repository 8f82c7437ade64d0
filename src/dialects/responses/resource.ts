/**
 * The response resource: all 31 keys of the schema in every snapshot, because clients read them unchecked, and what SDKs require beside
 * (docs/reference/client-protocols.md#responses).
 */
import { elementsOf, isJsonObject, objectIn, type JsonObject } from '../../kernel/json-object.js';
import type { OutputItem } from './items.js';

type ResponseStatus = 'in_progress' | 'completed' | 'incomplete' | 'failed';

export interface ResponseUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly input_tokens_details: { readonly cached_tokens: number; readonly cache_write_tokens: number };
  readonly output_tokens_details: { readonly reasoning_tokens: number };
}

/** Fields of the request that the response repeats. */
export interface RequestEcho {
  readonly previous_response_id: string | null;
  readonly instructions: string | null;
  readonly tools: readonly JsonObject[];
  readonly tool_choice: unknown;
  readonly truncation: 'auto' | 'disabled';
  readonly parallel_tool_calls: boolean;
  readonly text: JsonObject;
  readonly top_p: number;
  readonly presence_penalty: number;
  readonly frequency_penalty: number;
  readonly top_logprobs: number;
  readonly temperature: number;
  readonly reasoning: { readonly effort: string | null; readonly summary: string | null } | null;
  readonly max_output_tokens: number | null;
  readonly max_tool_calls: number | null;
  readonly store: boolean;
  readonly background: false;
  readonly service_tier: string;
  readonly metadata: JsonObject;
  readonly safety_identifier: string | null;
  readonly prompt_cache_key: string | null;
}

/** Fields that change during the response. */
export interface ResponseState {
  readonly id: string;
  /** Unix seconds, whole: clients refuse fractions. */
  readonly created_at: number;
  readonly completed_at: number | null;
  readonly status: ResponseStatus;
  readonly incomplete_details: { readonly reason: string } | null;
  readonly model: string;
  readonly output: readonly OutputItem[];
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Null when the engine reported none. */
  readonly usage: ResponseUsage | null;
}

export interface ResponseResource extends RequestEcho, ResponseState {
  readonly object: 'response';
  readonly access_programs: null;
}

export const responseResource = (echo: RequestEcho, state: ResponseState): ResponseResource => ({
  id: state.id,
  object: 'response',
  created_at: state.created_at,
  completed_at: state.completed_at,
  status: state.status,
  incomplete_details: state.incomplete_details,
  model: state.model,
  output: state.output,
  error: state.error,
  usage: state.usage,
  access_programs: null,
  ...echo,
});

/**
 * Accepts any JSON, and the snapshot of a response as well as a request, so that an untrusted snapshot becomes valid. Idempotent.
 */
export function requestEcho(request: JsonObject): RequestEcho {
  return {
    previous_response_id: textOrNull(request['previous_response_id']),
    instructions: textOrNull(request['instructions']),
    tools: elementsOf(request['tools']).flatMap(functionTool),
    tool_choice: toolChoice(request['tool_choice']),
    truncation: request['truncation'] === 'auto' ? 'auto' : 'disabled',
    parallel_tool_calls: request['parallel_tool_calls'] !== false,
    text: textField(objectIn(request, 'text')),
    top_p: numberOr(request['top_p'], 1),
    presence_penalty: numberOr(request['presence_penalty'], 0),
    frequency_penalty: numberOr(request['frequency_penalty'], 0),
    top_logprobs: integerOrNull(request['top_logprobs']) ?? 0,
    temperature: numberOr(request['temperature'], 1),
    reasoning: reasoningField(request['reasoning']),
    max_output_tokens: integerOrNull(request['max_output_tokens']),
    max_tool_calls: integerOrNull(request['max_tool_calls']),
    store: request['store'] !== false,
    background: false,
    service_tier: textOrNull(request['service_tier']) ?? 'default',
    metadata: objectIn(request, 'metadata'),
    safety_identifier: textOrNull(request['safety_identifier']),
    prompt_cache_key: textOrNull(request['prompt_cache_key']),
  };
}

/** The schema has functions only; other tools would make the snapshot invalid. */
function functionTool(tool: unknown): readonly JsonObject[] {
  if (!isJsonObject(tool) || tool['type'] !== 'function' || typeof tool['name'] !== 'string') return [];
  const { name, description, parameters, strict } = tool;
  return [
    {
      type: 'function',
      name,
      description: textOrNull(description),
      parameters: isJsonObject(parameters) ? parameters : null,
      strict: typeof strict === 'boolean' ? strict : null,
    },
  ];
}

function toolChoice(choice: unknown): unknown {
  if (!isJsonObject(choice)) return choice === 'none' || choice === 'required' ? choice : 'auto';
  switch (choice['type']) {
    case 'function':
      return namedFunction(choice)[0] ?? 'auto';
    case 'allowed_tools':
      return {
        type: 'allowed_tools',
        tools: elementsOf(choice['tools']).flatMap(namedFunction),
        mode: choice['mode'] === 'required' ? 'required' : 'auto',
      };
    default:
      // For kinds of tools outside the schema, only that a call is required.
      return 'required';
  }
}

const namedFunction = (named: unknown): readonly JsonObject[] =>
  isJsonObject(named) && named['type'] === 'function' && typeof named['name'] === 'string'
    ? [{ type: 'function', name: named['name'] }]
    : [];

const verbosities: readonly unknown[] = ['low', 'medium', 'high'];

const textField = (text: JsonObject): JsonObject => ({
  format: formatField(objectIn(text, 'format')),
  ...(verbosities.includes(text['verbosity']) && { verbosity: text['verbosity'] }),
});

function formatField({ type, name, description, schema, strict }: JsonObject): JsonObject {
  if (type === 'json_object') return { type };
  if (type !== 'json_schema') return { type: 'text' };
  return {
    type,
    name: textOrNull(name) ?? 'response',
    description: textOrNull(description),
    schema: isJsonObject(schema) ? schema : null,
    strict: strict === true,
  };
}

/** The nearest effort of the schema for others. */
const efforts: ReadonlyMap<unknown, string> = new Map([
  ['none', 'none'],
  ['minimal', 'low'],
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
  ['xhigh', 'xhigh'],
  ['max', 'xhigh'],
]);
const summaries: readonly unknown[] = ['concise', 'detailed', 'auto'];

function reasoningField(reasoning: unknown): RequestEcho['reasoning'] {
  if (!isJsonObject(reasoning)) return null;
  const { effort, summary } = reasoning;
  return {
    effort: efforts.get(effort) ?? null,
    summary: summaries.includes(summary) ? textOrNull(summary) : null,
  };
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const numberOr = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : otherwise;

const integerOrNull = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
