/** One question on every inference route, whole and streamed, and what a client has of the response: the same form for all. */
import type { RelayClient } from '../process/relay-client.js';
import { dataOf } from './event-stream.js';

export const inferenceRoutes = ['chat', 'responses', 'messages', 'completions'] as const;
export type InferenceRoute = (typeof inferenceRoutes)[number];
/** Routes with tools and reasoning. */
export const conversationRoutes = ['chat', 'responses', 'messages'] as const satisfies readonly InferenceRoute[];

type Json = Record<string, unknown>;

export interface HeardCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface Heard {
  readonly status: number;
  /** In the words of Chat Completions; `failed` where the protocol says that the response is no good. */
  readonly ended: string;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly HeardCall[];
  /** Tokens of the prompt and of the response; null where the client is told none. */
  readonly usage: readonly [number, number] | null;
  /** Everything that was received. */
  readonly raw: string;
  readonly headers: Headers;
}

const paths: Record<InferenceRoute, string> = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
  completions: '/v1/completions',
};

const parameters = { type: 'object', properties: { cmd: { type: 'string' } } };

/** The same question in every dialect; `run` and `look` are offered as tools. */
const bodies: Record<InferenceRoute, Json> = {
  chat: {
    messages: [{ role: 'user', content: 'Go' }],
    tools: ['run', 'look'].map((name) => ({ type: 'function', function: { name, parameters } })),
  },
  responses: { input: 'Go', tools: ['run', 'look'].map((name) => ({ type: 'function', name, parameters })) },
  messages: {
    max_tokens: 50,
    messages: [{ role: 'user', content: 'Go' }],
    tools: ['run', 'look'].map((name) => ({ name, input_schema: parameters })),
  },
  completions: { prompt: 'Go' },
};

/** @param fields added to the body; a text is sent as it is */
export async function hear(
  relay: RelayClient,
  route: InferenceRoute,
  stream: boolean,
  fields: Json | string = {},
): Promise<Heard> {
  const usage = stream && (route === 'chat' || route === 'completions') && { stream_options: { include_usage: true } };
  const body =
    typeof fields === 'string'
      ? fields
      : JSON.stringify({ model: 'fake', stream, ...usage, ...bodies[route], ...fields });
  const response = await relay.fetch(paths[route], { method: 'POST', body });
  const { raw, isCut } = await received(response);
  const { status, headers } = response;
  if (status !== 200) return { ...silence, status, headers, raw, ended: 'failed' };
  if (!stream) return { ...silence, status, headers, raw, ...wholeReaders[route](JSON.parse(raw) as Json) };
  const events = raw.split('\n\n').flatMap((event) => event.split('\n').filter((line) => line.startsWith('data: ')));
  const heard = { ...silence, status, headers, raw, ...streamReaders[route](dataOf(events), raw) };
  // Clients of these protocols that do not read the error event learn of the failure by it.
  const cutsFailures = route === 'chat' || route === 'completions';
  if (isCut !== (cutsFailures && heard.ended === 'failed'))
    throw new Error(`the body ${isCut ? 'was cut' : 'ended'}: ${raw.slice(-500)}`);
  return heard;
}

async function received(response: Response): Promise<{ readonly raw: string; readonly isCut: boolean }> {
  const decoder = new TextDecoder();
  let raw = '';
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
      raw += decoder.decode(chunk, { stream: true });
    return { raw, isCut: false };
  } catch {
    return { raw, isCut: true };
  }
}

type Content = Pick<Heard, 'ended' | 'text' | 'reasoning' | 'calls' | 'usage'>;
type Mutable = { -readonly [Key in keyof Omit<Content, 'calls'>]: Content[Key] } & {
  calls: { -readonly [Key in keyof HeardCall]: string }[];
};

const silence = { text: '', reasoning: '', calls: [], usage: null } as const;
const nothing = (): Mutable => ({ ended: 'failed', text: '', reasoning: '', calls: [], usage: null });

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function figures(usage: unknown, input: string, output: string): readonly [number, number] | null {
  if (typeof usage !== 'object' || usage === null) return null;
  return [Number((usage as Json)[input]), Number((usage as Json)[output])];
}

const wholeReaders: Record<InferenceRoute, (response: Json) => Content> = {
  chat: (response) => {
    const [choice = {}] = listOf(response['choices']);
    const message = choice['message'] as Json;
    return {
      ended: String(choice['finish_reason']),
      text: textOf(message['content']),
      reasoning: textOf(message['reasoning_content'] ?? message['reasoning']),
      calls: listOf(message['tool_calls']).map((call) => ({
        id: call['id'] as string,
        ...(call['function'] as { name: string; arguments: string }),
      })),
      usage: figures(response['usage'], 'prompt_tokens', 'completion_tokens'),
    };
  },
  responses: responseContent,
  messages: (response) => {
    const blocks = listOf(response['content']);
    const joined = (type: string, member: string): string =>
      blocks.map((block) => (block['type'] === type ? textOf(block[member]) : '')).join('');
    return {
      ended: stopReasons[String(response['stop_reason'])] ?? 'failed',
      text: joined('text', 'text'),
      reasoning: joined('thinking', 'thinking'),
      calls: blocks
        .filter(({ type }) => type === 'tool_use')
        .map(({ id, name, input }) => ({ id: String(id), name: String(name), arguments: JSON.stringify(input) })),
      usage: figures(response['usage'], 'input_tokens', 'output_tokens'),
    };
  },
  completions: (response) => {
    const [choice = {}] = listOf(response['choices']);
    return {
      ...silence,
      ended: String(choice['finish_reason']),
      text: textOf(choice['text']),
      usage: figures(response['usage'], 'prompt_tokens', 'completion_tokens'),
    };
  },
};

const stopReasons: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

function responseContent(response: Json): Content {
  const heard = nothing();
  for (const item of listOf(response['output'])) {
    if (item['type'] === 'message')
      heard.text += listOf(item['content'])
        .map(({ text }) => textOf(text))
        .join('');
    if (item['type'] === 'reasoning')
      heard.reasoning += listOf(item['summary'])
        .map(({ text }) => textOf(text))
        .join('');
    if (item['type'] === 'function_call') {
      heard.calls.push({
        id: String(item['call_id']),
        name: String(item['name']),
        arguments: String(item['arguments']),
      });
    }
  }
  const details = response['incomplete_details'] as Json | null;
  if (response['status'] === 'completed') heard.ended = heard.calls.length > 0 ? 'tool_calls' : 'stop';
  if (response['status'] === 'incomplete')
    heard.ended = details?.['reason'] === 'content_filter' ? 'content_filter' : 'length';
  heard.usage = figures(response['usage'], 'input_tokens', 'output_tokens');
  return heard;
}

const streamReaders: Record<InferenceRoute, (events: readonly Json[], raw: string) => Content> = {
  chat: (events, raw) => readChunks(events, raw),
  completions: (events, raw) => readChunks(events, raw),
  responses: (events, raw) => {
    const last = events.at(-1);
    if (last === undefined || !raw.endsWith('data: [DONE]\n\n')) return nothing();
    return responseContent(last['response'] as Json);
  },
  messages: (events) => {
    const heard = nothing();
    let stop = 'failed';
    for (const event of events) {
      const block = event['content_block'] as Json | undefined;
      const delta = (event['delta'] ?? {}) as Json;
      if (block?.['type'] === 'tool_use')
        heard.calls.push({ id: String(block['id']), name: String(block['name']), arguments: '' });
      if (event['type'] === 'content_block_delta') {
        heard.text += textOf(delta['text']);
        heard.reasoning += textOf(delta['thinking']);
        const call = heard.calls.at(-1);
        if (call !== undefined) call.arguments += textOf(delta['partial_json']);
      }
      if (event['type'] === 'message_delta') {
        stop = stopReasons[String(delta['stop_reason'])] ?? 'failed';
        heard.usage = figures(event['usage'], 'input_tokens', 'output_tokens');
      }
      if (event['type'] === 'message_stop') heard.ended = stop;
    }
    return heard;
  },
};

/** As strict as the strictest client: a call is named once, with its id, and a response without `[DONE]` is none. */
function readChunks(events: readonly Json[], raw: string): Content {
  const heard = nothing();
  let reason = 'failed';
  for (const event of events) {
    heard.usage = figures(event['usage'], 'prompt_tokens', 'completion_tokens') ?? heard.usage;
    for (const choice of listOf(event['choices'])) {
      const delta = (choice['delta'] ?? {}) as Json;
      heard.text += textOf(delta['content']) + textOf(choice['text']);
      heard.reasoning += textOf(delta['reasoning_content'] ?? delta['reasoning']);
      for (const call of listOf(delta['tool_calls'])) takeCall(heard, call);
      if (choice['finish_reason'] === null) continue;
      if (reason !== 'failed') throw new Error(`two finish reasons: ${raw}`);
      reason = textOf(choice['finish_reason']);
    }
  }
  if (raw.endsWith('data: [DONE]\n\n')) heard.ended = reason;
  return heard;
}

function takeCall(heard: Mutable, call: Json): void {
  const { name, arguments: text } = call['function'] as Json;
  const known = heard.calls[Number(call['index'])];
  if (typeof text !== 'string') throw new Error(`arguments that are no text: ${JSON.stringify(call)}`);
  if (known !== undefined) {
    if ('id' in call || name !== undefined) throw new Error(`a call that is named again: ${JSON.stringify(call)}`);
    known.arguments += text;
    return;
  }
  const { id, type } = call;
  if (typeof id !== 'string' || id === '' || typeof name !== 'string' || name === '' || type !== 'function')
    throw new Error(`a first fragment that is incomplete: ${JSON.stringify(call)}`);
  heard.calls.push({ id, name, arguments: text });
}
