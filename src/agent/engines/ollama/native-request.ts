/**
 * Requests for Ollama's native routes. The OpenAI-compatible routes cannot set a context length and silently truncate long prompts;
 * `/api/chat` and `/api/generate` take `num_ctx`, and `truncate: false` since 0.12.6. A request has to ask for the runner that is there: since
 * 0.30 Ollama restarts it for another `shift`, as for another context length.
 */
import { parseExactOrNothing, stringifyExact } from '../../../kernel/exact-json.js';
import { isJsonObject } from '../../../kernel/json-object.js';
import { EngineFailure, type EngineRoute } from '../engine.js';
import type { AdaptedRequest, NativeRequest } from '../http/engine-adapter.js';
import { nativeResponses } from './native-response.js';
import { nativeMessages } from './native-messages.js';

type Fields = Readonly<Record<string, unknown>>;

interface NativeTarget {
  readonly engineModel: string;
  /** The loaded context, because Ollama reloads the model for a request with another one. */
  readonly contextTokens: number;
  readonly stream: boolean;
  /** Whether the runner is that of a load through Ferry, and for how long such a load keeps it. */
  readonly runner: { readonly of: 'ferry'; readonly keepAlive: string | number } | { readonly of: 'others' };
  readonly knowsDeveloper: boolean;
  readonly thinks: boolean;
}

const BYTE_ORDER_MARK = /^\uFEFF/;
const nativePaths: Record<EngineRoute, string> = { chat: '/api/chat', completions: '/api/generate' };
/** Dropped on the OpenAI-compatible routes only. */
const honoured: ReadonlySet<string> = new Set(['top_k', 'min_p', 'repetition_penalty', 'repeat_penalty']);

/** @throws EngineFailure for what Ollama would refuse */
export function nativeRequest(
  { body, dropped }: AdaptedRequest,
  route: EngineRoute,
  { engineModel, contextTokens, stream, runner, knowsDeveloper, thinks }: NativeTarget,
): NativeRequest {
  const request = parseExactOrNothing(body.toString('utf8').replace(BYTE_ORDER_MARK, ''));
  if (!isJsonObject(request)) throw refused('The request is not a JSON object.', null);
  const content = route === 'chat' ? chatFields(request, knowsDeveloper) : completionFields(request, thinks);
  const native = {
    model: engineModel,
    ...content,
    stream,
    // The engine refuses a prompt that does not fit.
    truncate: false,
    // … and ends a response that fills the context with `length`. A runner of others shifts, see `NativeTarget.runner`.
    ...(runner.of === 'ferry' && { shift: false, keep_alive: runner.keepAlive }),
    options: optionsOf(request, contextTokens, runner.of === 'others'),
  };
  const lost = dropped.filter((name) => !honoured.has(name));
  if (route === 'completions' && isSet(request['logprobs'])) lost.push('logprobs');
  return {
    path: nativePaths[route],
    body: Buffer.from(stringifyExact(native)),
    dropped: lost,
    grammar: nativeResponses(route, contextTokens),
  };
}

function chatFields(request: Fields, knowsDeveloper: boolean): Fields {
  const { tools, logprobs, top_logprobs: topLogprobs } = request;
  const format = formatOf(request['response_format']);
  const think = thinkOf(request);
  return {
    messages: nativeMessages(request['messages'], knowsDeveloper),
    ...(Array.isArray(tools) && tools.length > 0 && { tools }),
    ...(format !== undefined && { format }),
    ...(think !== undefined && { think }),
    ...(logprobs === true && { logprobs, ...(isSet(topLogprobs) && { top_logprobs: topLogprobs }) }),
  };
}

/** A thinking model would think in place of the text, which a completion has no field for. */
function completionFields({ prompt, suffix }: Fields, thinks: boolean): Fields {
  if (typeof prompt !== 'string') throw takesOneText();
  return { prompt, ...(isSet(suffix) && { suffix }), ...(thinks && { think: false }) };
}

function formatOf(format: unknown): unknown {
  if (!isJsonObject(format)) return undefined;
  if (format['type'] === 'json_object') return 'json';
  const { json_schema: schema } = format;
  return format['type'] === 'json_schema' && isJsonObject(schema) ? (schema['schema'] ?? undefined) : undefined;
}

function thinkOf({ reasoning, reasoning_effort: effortField }: Fields): unknown {
  const effort = (isJsonObject(reasoning) ? reasoning['effort'] : undefined) ?? effortField;
  if (typeof effort !== 'string' || effort === '') return undefined;
  switch (effort) {
    case 'none':
      return false;
    case 'minimal':
      return 'low';
    case 'xhigh':
      // Not all versions know `max`.
      return 'high';
    default:
      return effort;
  }
}

const sameName = ['temperature', 'top_p', 'seed', 'frequency_penalty', 'presence_penalty', 'top_k', 'min_p'] as const;

/** @param shifts the runner forgets the beginning of a full context and goes on, so a response is limited to the context at most */
function optionsOf(request: Fields, contextTokens: number, shifts: boolean): Fields {
  const { stop } = request;
  // What the client does not set is the model's own, as its Modelfile says; the OpenAI-compatible routes would set it to 1.
  const options: Record<string, unknown> = { num_ctx: contextTokens };
  for (const name of sameName) if (isSet(request[name])) options[name] = request[name];
  const limit = request['max_completion_tokens'] ?? request['max_tokens'];
  if (isSet(limit)) options['num_predict'] = limit;
  if (shifts && !(Number(limit) > 0 && Number(limit) <= contextTokens)) options['num_predict'] = contextTokens;
  const penalty = request['repeat_penalty'] ?? request['repetition_penalty'];
  if (isSet(penalty)) options['repeat_penalty'] = penalty;
  if (isSet(stop)) options['stop'] = Array.isArray(stop) ? stop : [stop];
  return options;
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/** Another node may have an engine that takes lists. */
const takesOneText = (): EngineFailure =>
  new EngineFailure({
    code: 'unsupported_capability',
    status: 400,
    message: 'Ollama accepts one text as the prompt.',
    param: 'prompt',
    retry_after_seconds: null,
  });

const refused = (message: string, param: string | null): EngineFailure =>
  new EngineFailure({ code: 'invalid_request', status: 400, message, param, retry_after_seconds: null });
