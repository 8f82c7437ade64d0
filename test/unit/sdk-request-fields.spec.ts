/**
 * A request field that changes what the model is given or how it answers is honoured, refused, or named in `x-ferry-translation`
 * (docs/reference/translation.md#rejected-and-dropped-fields). The fields are those of the official SDKs' own types: one that a new version
 * adds fails here until it has a row.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { EngineFailure } from '../../src/agent/engines/engine.js';
import { parseChatRequest } from '../../src/agent/engines/llamacpp/request/chat-request.js';
import { parseCompletionRequest } from '../../src/agent/engines/llamacpp/request/completion-request.js';
import { readMessagesEnvelope } from '../../src/dialects/messages/envelope.js';
import { messagesToChat } from '../../src/dialects/messages/to-chat/to-chat.js';
import { readResponsesEnvelope } from '../../src/dialects/responses/envelope.js';
import { responsesToChat } from '../../src/dialects/responses/to-chat/to-chat.js';
import { FerryError } from '../../src/kernel/errors/ferry-error.js';
import { repositoryRoot } from '../support/process/ferry-process.js';

type Body = Readonly<Record<string, unknown>>;
type Outcome = 'honoured' | 'refused' | 'reported' | 'silent';

/** What becomes of a request: all that the engine or its sampling gets, and what is reported as dropped. */
interface Understood {
  readonly given: unknown;
  readonly dropped: readonly string[];
}

/** A value with an effect; and, where the field has none on the model or its answer, why. */
interface Probe {
  readonly value: unknown;
  /** Further fields that it needs. */
  readonly with?: Body;
  readonly noEffect?: string;
}

const tool = { name: 'f', input_schema: { type: 'object' } };
const chatTool = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } };
const responsesTool = { type: 'function', name: 'f', parameters: { type: 'object' } };
const userSide = 'concerns the caller and the operator of the service, not the model';

const messages: Readonly<Record<string, Probe>> = {
  max_tokens: { value: 7 },
  messages: { value: [{ role: 'user', content: 'something else' }] },
  model: { value: 'another' },
  betas: { value: ['x'] },
  billing_policy: { value: { type: 'x' } },
  cache_control: { value: { type: 'ephemeral' } },
  compaction: { value: { type: 'enabled' } },
  container: { value: 'x' },
  context_management: { value: { edits: [{ type: 'clear_tool_uses_20250919' }] } },
  diagnostics: { value: { previous_message_id: 'msg_1' } },
  fallback_credit_token: { value: 'x' },
  fallbacks: { value: [{ model: 'another' }] },
  inference_geo: { value: 'eu' },
  mcp_servers: { value: [{ type: 'url', name: 'x', url: 'https://example.com' }] },
  metadata: { value: { user_id: 'u' } },
  output_config: { value: { effort: 'high' } },
  output_format: { value: { type: 'json_schema', schema: { type: 'object' } } },
  service_tier: { value: 'standard_only' },
  speed: { value: 'fast' },
  stop_sequences: { value: ['x'] },
  stream: { value: true },
  system: { value: 'be brief' },
  thinking: { value: { type: 'enabled', budget_tokens: 2_000 } },
  thread: { value: { type: 'create' }, noEffect: 'kept and continued by the exchange, around the translation' },
  tool_choice: { value: { type: 'any' }, with: { tools: [tool] } },
  tools: { value: [tool] },
  user_profile_id: { value: 'x' },
  workspace_id: { value: 'x' },
};

const responses: Readonly<Record<string, Probe>> = {
  access_programs: { value: ['x'] },
  background: { value: true },
  context_management: { value: [{ type: 'compaction' }] },
  conversation: { value: 'conv_1' },
  image: { value: 'x' },
  include: { value: ['file_search_call.results'] },
  input: { value: 'something else' },
  instructions: { value: 'be brief' },
  max_output_tokens: { value: 7 },
  max_tool_calls: { value: 1 },
  metadata: { value: { a: 'b' }, noEffect: 'repeated in the answer' },
  model: { value: 'another' },
  moderation: { value: { model: 'x' } },
  parallel_tool_calls: { value: false, with: { tools: [responsesTool] } },
  previous_response_id: { value: 'resp_1', noEffect: 'looked up by the exchange, before the translation' },
  prompt: { value: { id: 'pmpt_1' } },
  prompt_cache_key: { value: 'x' },
  prompt_cache_options: { value: { ttl: '1h' } },
  prompt_cache_retention: { value: '24h' },
  reasoning: { value: { effort: 'high' } },
  safety_identifier: { value: 'x' },
  service_tier: { value: 'flex' },
  store: { value: false, noEffect: 'decides whether the node keeps the conversation' },
  stream: { value: true },
  stream_options: { value: { include_obfuscation: true }, with: { stream: true }, noEffect: 'padding of events' },
  temperature: { value: 0.5 },
  text: { value: { format: { type: 'json_object' } } },
  tool_choice: { value: 'required', with: { tools: [responsesTool] } },
  tools: { value: [responsesTool] },
  top_logprobs: { value: 3 },
  top_p: { value: 0.5 },
  truncation: { value: 'auto' },
  user: { value: 'u' },
};

/** Of the built-in engine. Engines behind HTTP get the client's own bytes. */
const chat: Readonly<Record<string, Probe>> = {
  messages: { value: [{ role: 'user', content: 'something else' }] },
  model: { value: 'another', noEffect: 'chosen by the relay' },
  audio: { value: { voice: 'x', format: 'wav' } },
  frequency_penalty: { value: 0.5 },
  function_call: { value: 'auto', with: { functions: [{ name: 'f' }] } },
  functions: { value: [{ name: 'f' }] },
  logit_bias: { value: { 5: -100 } },
  logprobs: { value: true },
  max_completion_tokens: { value: 7 },
  max_tokens: { value: 7 },
  metadata: { value: { a: 'b' }, noEffect: userSide },
  modalities: { value: ['text', 'audio'] },
  moderation: { value: { model: 'x' } },
  n: { value: 2 },
  parallel_tool_calls: { value: false, with: { tools: [chatTool] } },
  prediction: { value: { type: 'content', content: 'x' }, noEffect: 'may only make the same answer faster' },
  presence_penalty: { value: 0.5 },
  prompt_cache_key: { value: 'x', noEffect: 'prompts are found in the cache by their content' },
  prompt_cache_options: { value: { ttl: '1h' }, noEffect: 'as prompt_cache_key' },
  prompt_cache_retention: { value: '24h', noEffect: 'as prompt_cache_key' },
  reasoning_effort: { value: 'high' },
  response_format: { value: { type: 'json_object' } },
  safety_identifier: { value: 'x', noEffect: userSide },
  seed: { value: 5 },
  service_tier: { value: 'flex', noEffect: userSide },
  stop: { value: ['x'] },
  store: { value: true, noEffect: userSide },
  stream: { value: true, noEffect: 'read by the node' },
  stream_options: { value: { include_usage: true }, noEffect: 'read by the node' },
  temperature: { value: 0.5 },
  tool_choice: { value: 'required', with: { tools: [chatTool] } },
  tools: { value: [chatTool] },
  top_logprobs: { value: 3 },
  top_p: { value: 0.5 },
  user: { value: 'u', noEffect: userSide },
  verbosity: { value: 'low' },
  web_search_options: { value: {} },
};

const completions: Readonly<Record<string, Probe>> = {
  model: { value: 'another', noEffect: 'chosen by the relay' },
  prompt: { value: 'something else' },
  best_of: { value: 2 },
  echo: { value: true },
  frequency_penalty: { value: 0.5 },
  logit_bias: { value: { 5: -100 } },
  logprobs: { value: 1 },
  max_tokens: { value: 7 },
  n: { value: 2 },
  presence_penalty: { value: 0.5 },
  seed: { value: 5 },
  stop: { value: ['x'] },
  stream: { value: true, noEffect: 'read by the node' },
  stream_options: { value: { include_usage: true }, noEffect: 'read by the node' },
  suffix: { value: 'x' },
  temperature: { value: 0.5 },
  top_p: { value: 0.5 },
  user: { value: 'u', noEffect: userSide },
};

interface Route {
  readonly name: string;
  /** Declarations below `node_modules`, and the name of the interface in each. */
  readonly types: readonly (readonly [file: string, name: string])[];
  readonly base: Body;
  readonly probes: Readonly<Record<string, Probe>>;
  readonly understand: (body: Body) => Understood;
}

const MESSAGES = '@anthropic-ai/sdk/resources';
const routes: readonly Route[] = [
  {
    name: 'messages',
    types: [
      [`${MESSAGES}/messages/messages.d.ts`, 'MessageCreateParamsBase'],
      [`${MESSAGES}/beta/messages/messages.d.ts`, 'MessageCreateParamsBase'],
    ],
    base: { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] },
    probes: messages,
    understand: (body) => {
      const { body: given, dropped } = messagesToChat(readMessagesEnvelope(body), { reasoning: null });
      return { given, dropped };
    },
  },
  {
    name: 'responses',
    types: [['openai/resources/responses/responses.d.ts', 'ResponseCreateParamsBase']],
    base: { model: 'm', input: 'hi' },
    probes: responses,
    understand: (body) => {
      const { body: request } = readResponsesEnvelope(body);
      const { body: given, dropped, answer } = responsesToChat(request, { earlier: [], reasoning: null });
      return { given: [given, answer], dropped };
    },
  },
  {
    name: 'chat with the built-in engine',
    types: [['openai/resources/chat/completions/completions.d.ts', 'ChatCompletionCreateParamsBase']],
    // A seed, because it is random without.
    base: { model: 'm', seed: 1, messages: [{ role: 'user', content: 'hi' }] },
    probes: chat,
    understand: (body) => {
      const { dropped, ...given } = parseChatRequest(Buffer.from(JSON.stringify(body)));
      return { given, dropped };
    },
  },
  {
    name: 'completions with the built-in engine',
    types: [['openai/resources/completions.d.ts', 'CompletionCreateParamsBase']],
    base: { model: 'm', seed: 1, prompt: 'hi' },
    probes: completions,
    understand: (body) => {
      const { dropped, ...given } = parseCompletionRequest(Buffer.from(JSON.stringify(body)));
      return { given, dropped };
    },
  },
];

/** The members of an interface, as the SDKs' generator writes them: one to a line, four blanks deep. */
async function fieldsOf(file: string, name: string): Promise<readonly string[]> {
  const text = await readFile(path.join(repositoryRoot, 'node_modules', file), 'utf8');
  const body = new RegExp(`^export interface ${name}(?: extends [^{]*)? \\{\\n([^]*?)^\\}`, 'm').exec(text)?.[1];
  if (body === undefined) throw new Error(`${file} has no interface ${name}`);
  return [...body.matchAll(/^ {4}(\w+)\??:/gm)].flatMap(([, field]) => (field === undefined ? [] : [field]));
}

function outcomeOf({ base, understand }: Route, field: string, { value, with: needed = {} }: Probe): Outcome {
  const without = understand({ ...base, ...needed });
  try {
    const { given, dropped } = understand({ ...base, ...needed, [field]: value });
    const named = dropped.some(
      (name) => name === field || name.startsWith(`${field}.`) || name.startsWith(`${field}[`),
    );
    if (named) return 'reported';
    return JSON.stringify(given) === JSON.stringify(without.given) ? 'silent' : 'honoured';
  } catch (error) {
    if (error instanceof FerryError || error instanceof EngineFailure) return 'refused';
    throw error;
  }
}

describe.each(routes)('$name', (route) => {
  let declared: readonly string[];

  beforeAll(async () => {
    const lists = await Promise.all(route.types.map(([file, name]) => fieldsOf(file, name)));
    declared = [...new Set(lists.flat())];
  });

  it('has a row for every field of the SDK’s types, and no other', () => {
    expect(declared.length).toBeGreaterThan(10);
    expect(Object.keys(route.probes).sort()).toEqual([...declared].sort());
  });

  it.each(Object.entries(route.probes))('never drops %s without a word', (field, probe) => {
    const outcome = outcomeOf(route, field, probe);
    if (probe.noEffect === undefined) expect(outcome).not.toBe('silent');
    else expect([outcome, probe.noEffect]).toEqual(['silent', probe.noEffect]);
  });
});
