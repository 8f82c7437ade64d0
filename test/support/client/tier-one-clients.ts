/**
 * The clients that every run of the contract suite asks, each as a program uses it on each of its routes: whether it says that a response is
 * complete.
 */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { generateText, streamText, type LanguageModel } from 'ai';
import OpenAI from 'openai';
import { ai4, createOpenAI1, OpenAI4 } from '../../../older-clients/clients.js';
import type { RelayClient } from '../process/relay-client.js';
import type { ClientProgram } from './client-program.js';
import type { InferenceRoute } from './received-response.js';

/** Resolves with the text when the client calls the response complete. @throws when it reports a failure, in whatever way */
type Requesting = (stream: boolean) => Promise<string>;

export interface TierOneClient {
  readonly name: string;
  readonly routes: Readonly<Partial<Record<InferenceRoute, Requesting>>>;
}

const model = 'fake';
const prompt = 'hi';
const messages = [{ role: 'user' as const, content: prompt }];

/** Ways in which a client reports a failure without an exception. */
function failed(how: unknown): never {
  throw new Error(`reported: ${JSON.stringify(how)}`);
}

/** The same calls in both majors. */
function openai(client: OpenAI | OpenAI4): TierOneClient['routes'] {
  const { chat, completions, responses } = client as OpenAI;
  return {
    chat: async (stream) => {
      if (!stream)
        return (await chat.completions.create({ model, messages })).choices[0]?.message.content ?? failed('');
      let text = '';
      for await (const { choices } of await chat.completions.create({ model, messages, stream }))
        text += choices[0]?.delta.content ?? '';
      return text;
    },
    completions: async (stream) => {
      if (!stream) return (await completions.create({ model, prompt })).choices[0]?.text ?? failed('');
      let text = '';
      for await (const { choices } of await completions.create({ model, prompt, stream }))
        text += choices[0]?.text ?? '';
      return text;
    },
    responses: async (stream) => {
      if (!stream) {
        const response = await responses.create({ model, input: prompt });
        return response.status === 'completed' ? response.output_text : failed(response.error);
      }
      let text = '';
      for await (const event of await responses.create({ model, input: prompt, stream })) {
        if (event.type === 'response.output_text.delta') text += event.delta;
        if (event.type === 'response.failed') failed(event.response.error);
      }
      return text;
    },
  };
}

const anthropic = (client: Anthropic): TierOneClient['routes'] => ({
  messages: async (stream) => {
    const request = { model, messages, max_tokens: 50 };
    let text = '';
    if (stream) {
      for await (const event of await client.messages.create({ ...request, stream }))
        if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text;
      return text;
    }
    const { content } = await client.messages.create(request);
    for (const block of content) if (block.type === 'text') text += block.text;
    return text;
  },
});

/** @param streamed what `streamText` of the major returns, as far as it is the same */
async function readParts(streamed: {
  readonly fullStream: AsyncIterable<{ readonly type: string; readonly error?: unknown }>;
  readonly text: PromiseLike<string>;
  readonly finishReason: PromiseLike<string>;
}): Promise<string> {
  for await (const part of streamed.fullStream) if (part.type === 'error') failed(part.error);
  const reason = await streamed.finishReason;
  return reason === 'error' || reason === 'unknown' || reason === 'other' ? failed(reason) : streamed.text;
}

const quiet = { prompt, maxRetries: 0, onError: (): void => undefined };

const withAi = (language: LanguageModel): Requesting => {
  return async (stream) =>
    stream
      ? readParts(streamText({ ...quiet, model: language }))
      : (await generateText({ ...quiet, model: language })).text;
};
const withAi4 = (language: ai4.LanguageModelV1): Requesting => {
  return async (stream) =>
    stream
      ? readParts(ai4.streamText({ ...quiet, model: language }))
      : (await ai4.generateText({ ...quiet, model: language })).text;
};

export function javascriptClients(relay: RelayClient): readonly TierOneClient[] {
  const { apiKey, baseUrl } = relay;
  const options = { apiKey, baseURL: `${baseUrl}/v1` };
  const provider = createOpenAI(options);
  const compatible = createOpenAICompatible({ ...options, name: 'ferry' });
  const claude = createAnthropic({ authToken: apiKey, baseURL: options.baseURL });
  const older = createOpenAI1({ ...options, compatibility: 'strict' });
  return [
    { name: '`openai` 7', routes: openai(new OpenAI({ ...options, maxRetries: 0 })) },
    { name: '`openai` 4', routes: openai(new OpenAI4({ ...options, maxRetries: 0 })) },
    {
      name: '`@anthropic-ai/sdk` 1',
      routes: anthropic(new Anthropic({ authToken: apiKey, apiKey: null, baseURL: baseUrl, maxRetries: 0 })),
    },
    {
      name: '`ai` 7',
      routes: {
        chat: withAi(provider.chat(model)),
        responses: withAi(provider.responses(model)),
        messages: withAi(claude(model)),
        completions: withAi(provider.completion(model)),
      },
    },
    {
      name: '`ai` 7, openai-compatible',
      routes: { chat: withAi(compatible(model)), completions: withAi(compatible.completionModel(model)) },
    },
    {
      name: '`ai` 4',
      routes: {
        chat: withAi4(older.chat(model)),
        responses: withAi4(older.responses(model)),
        completions: withAi4(older.completion(model)),
      },
    },
  ];
}

/** @param program `test/python/client.py` in one of its environments */
export function pythonClient(name: string, program: ClientProgram): TierOneClient {
  const requesting =
    (route: InferenceRoute): Requesting =>
    async (stream) => {
      const { ok, error } = await program.ask({ case: `${route}.${stream ? 'stream' : 'whole'}`, model, prompt });
      if (ok !== undefined) return String(ok['text']);
      // Its strictness about types is not what programs rely on.
      if (/Validation/.test(error?.type ?? '')) return `not refused by the failure: ${error?.message}`;
      throw new Error(`${error?.type}: ${error?.message}`);
    };
  return {
    name,
    routes: {
      chat: requesting('chat'),
      responses: requesting('responses'),
      messages: requesting('messages'),
      completions: requesting('completions'),
    },
  };
}
