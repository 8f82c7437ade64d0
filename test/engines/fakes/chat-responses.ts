/** Chat responses of fake engines: short texts, a tool call when a weather tool is offered, and an endless story. */
import { setTimeout as delay } from 'node:timers/promises';
import type { FakeRequest } from './fake-server.js';

const STORY_PACE_MS = 10;

/** Differences between the chunks of engines. */
export interface ChatFlavour {
  /** Additional fields of every chunk and response. */
  readonly envelope?: Readonly<Record<string, unknown>>;
  /** The role in every delta, like Ollama, instead of only in the first. */
  readonly roleOnEveryDelta?: boolean;
  /** Ollama and older LM Studio: tool calls end with `stop`. */
  readonly finishOfCalls?: string;
  /** vLLM and SGLang, on request: usage in every chunk. */
  readonly continuousUsage?: boolean;
  /** vLLM: the first fragment of a call has no arguments, and the others have nothing else. */
  readonly callInFragments?: boolean;
  /** 9 unless the fake counts tokens. */
  readonly promptTokens?: number;
  /** In front of the first event. */
  readonly comments?: readonly string[];
}

interface RequestReceived {
  readonly model?: string;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean; readonly continuous_usage_stats?: boolean };
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

const usageOf = ({ promptTokens = 9 }: ChatFlavour): object => ({
  prompt_tokens: promptTokens,
  completion_tokens: 10,
  total_tokens: promptTokens + 10,
});
const words = ['Hello', '! How', ' can I help', ' you today?'];

export async function respondToChat(request: FakeRequest, flavour: ChatFlavour = {}): Promise<void> {
  const asked = request.body as RequestReceived;
  const envelope = {
    id: 'chatcmpl-stand-in',
    created: 1_795_000_000,
    model: asked.model ?? '',
    ...flavour.envelope,
  };
  const question = JSON.stringify(asked.messages?.at(-1)?.content ?? '');
  const call = asked.tools?.find(({ function: { name } }) => question.includes('weather') && name === 'get_weather');
  if (asked.stream !== true) {
    respondWhole(request, envelope, call?.function.name, flavour);
    return;
  }
  request.startStream();
  for (const comment of flavour.comments ?? []) request.response.write(`: ${comment}\n\n`);
  const continuous = flavour.continuousUsage === true && asked.stream_options?.continuous_usage_stats === true;
  const soFar = continuous ? { usage: usageOf(flavour) } : {};
  const chunk = (delta: object, finish: string | null = null): void => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    request.event({ ...envelope, object: 'chat.completion.chunk', choices, ...soFar });
  };
  const role = flavour.roleOnEveryDelta === true ? { role: 'assistant' } : {};
  chunk({ role: 'assistant', content: '' });
  if (question.includes('story')) {
    while (!request.response.destroyed) {
      chunk({ ...role, content: 'and then ' });
      await delay(STORY_PACE_MS);
    }
    return;
  }
  if (call === undefined) for (const content of words) chunk({ ...role, content });
  else if (flavour.callInFragments === true) {
    const named = { id: 'chatcmpl-tool-1', type: 'function', index: 0, function: { name: call.function.name } };
    chunk({ content: null, tool_calls: [named] });
    for (const part of ['{"', 'city', '": "P', 'aris', '"}'])
      chunk({ content: null, tool_calls: [{ index: 0, function: { arguments: part } }] });
  } else chunk({ ...role, tool_calls: [toolCall(call.function.name)] });
  chunk({}, call === undefined ? 'stop' : (flavour.finishOfCalls ?? 'tool_calls'));
  if (asked.stream_options?.include_usage === true) {
    request.event({ ...envelope, object: 'chat.completion.chunk', choices: [], usage: usageOf(flavour) });
  }
  request.event('[DONE]');
  request.response.end();
}

function respondWhole(request: FakeRequest, envelope: object, tool: string | undefined, flavour: ChatFlavour): void {
  const message =
    tool === undefined
      ? { role: 'assistant', content: words.join('') }
      : { role: 'assistant', content: null, tool_calls: [toolCall(tool)] };
  const finish = tool === undefined ? 'stop' : (flavour.finishOfCalls ?? 'tool_calls');
  const choices = [{ index: 0, message, finish_reason: finish }];
  request.json(200, { ...envelope, object: 'chat.completion', choices, usage: usageOf(flavour) });
}

const toolCall = (name: string): object => ({
  index: 0,
  id: 'call_1',
  type: 'function',
  function: { name, arguments: '{"city":"Paris"}' },
});
