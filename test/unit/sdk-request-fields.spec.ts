/**
 * A request field that changes what the model is given or how it answers is honoured, refused, or named in `x-ferry-translation`
 * (docs/reference/translation.md#rejected-and-dropped-fields). The fields are those of the official SDKs' own types: one that a new version
 * adds fails here until it has a row.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parseChatRequest } from '../../src/agent/engines/llamacpp/request/chat-request.js';
import { parseCompletionRequest } from '../../src/agent/engines/llamacpp/request/completion-request.js';
import {
  ANTHROPIC,
  ANTHROPIC_BETA,
  bases,
  fieldsOf,
  OPENAI_RESPONSES,
  outcomeOf,
  understand,
  type Body,
  type Outcome,
  type Probe,
  type SdkType,
  type Understood,
} from '../support/client/sdk-request-types.js';

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
  readonly types: readonly SdkType[];
  readonly base: Body;
  readonly probes: Readonly<Record<string, Probe>>;
  readonly understand: (body: Body) => Understood;
}

const routes: readonly Route[] = [
  {
    name: 'messages',
    types: [
      [ANTHROPIC, 'MessageCreateParamsBase'],
      [ANTHROPIC_BETA, 'MessageCreateParamsBase'],
    ],
    base: bases.messages,
    probes: messages,
    understand: understand.messages,
  },
  {
    name: 'responses',
    types: [[OPENAI_RESPONSES, 'ResponseCreateParamsBase']],
    base: bases.responses,
    probes: responses,
    understand: understand.responses,
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

const outcomeOfField = (route: Route, field: string, { value, with: needed = {} }: Probe): Outcome =>
  outcomeOf(
    route.understand,
    { ...route.base, ...needed },
    { ...route.base, ...needed, [field]: value },
    (path) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`),
  );

describe.each(routes)('$name', (route) => {
  let declared: readonly string[];

  beforeAll(async () => {
    declared = await fieldsOf(route.types);
  });

  it('$name has a row for every field of the SDK’s types, and no other', () => {
    expect(declared.length).toBeGreaterThan(10);
    expect(Object.keys(route.probes).sort()).toEqual(declared);
  });

  it.each(Object.entries(route.probes))('never drops %s without a word', (field, probe) => {
    const outcome = outcomeOfField(route, field, probe);
    if (probe.noEffect === undefined) expect(outcome).not.toBe('silent');
    else expect([outcome, probe.noEffect]).toEqual(['silent', probe.noEffect]);
  });
});
