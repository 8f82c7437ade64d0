/** LangGraph's agent loop over LangChain's OpenAI (chat, responses) and Anthropic clients, against the built-in engine. */
import { describe, expect, it } from '@jest/globals';
import { ChatAnthropic } from '@langchain/anthropic';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { tool } from '@langchain/core/tools';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';
import { shareDeployment } from '../support/process/shared-deployment.js';
import type { TestRelay } from '../support/process/test-relay.js';

const clients = ['openai (chat)', 'openai (responses)', 'anthropic'] as const;

/** The usual ReAct loop: call the model, run its tools, repeat until it responds without a tool call. */
function agentOf(model: BaseChatModel, asked: unknown[]) {
  const weather = tool(
    (input: unknown) => {
      asked.push(input);
      return '{"temperature_c":18,"sky":"cloudy"}';
    },
    { name: 'get_weather', description: 'Get the weather for a city', schema: z.object({ city: z.string() }) },
  );
  if (model.bindTools === undefined) throw new Error('the client cannot bind tools');
  const withTools = model.bindTools([weather]);
  return new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }) => ({ messages: [await withTools.invoke(messages)] }))
    .addNode('tools', new ToolNode([weather]))
    .addEdge(START, 'model')
    .addConditionalEdges('model', ({ messages }) => {
      const last = messages.at(-1);
      return AIMessage.isInstance(last) && (last.tool_calls ?? []).length > 0 ? 'tools' : END;
    })
    .addEdge('tools', 'model')
    .compile();
}

describe('LangGraph', () => {
  let relay: TestRelay;
  let models: Record<(typeof clients)[number], BaseChatModel>;

  shareDeployment((started) => {
    ({ relay } = started);
    const settings = { model: 'tiny', temperature: 0, maxTokens: 200, maxRetries: 0 };
    const openai = {
      ...settings,
      apiKey: relay.apiKey,
      configuration: { baseURL: `${relay.baseUrl}/v1` },
    };
    models = {
      'openai (chat)': new ChatOpenAI(openai),
      'openai (responses)': new ChatOpenAI({ ...openai, useResponsesApi: true }),
      anthropic: new ChatAnthropic({
        ...settings,
        anthropicApiKey: 'sent as x-api-key, which Ferry ignores',
        anthropicApiUrl: relay.baseUrl,
        clientOptions: { defaultHeaders: { authorization: `Bearer ${relay.apiKey}` } },
      }),
    };
  });

  it.each(clients)('answers a message through %s', async (client) => {
    const response = await models[client].invoke([new HumanMessage('Hello')]);
    expect(response.text).toBe('Hello! How can I help you today?');
  });

  it.each(clients)('streams tokens through %s', async (client) => {
    const chunks: string[] = [];
    for await (const chunk of await models[client].stream('Count to 8')) if (chunk.text !== '') chunks.push(chunk.text);
    expect(chunks.join('')).toBe('1, 2, 3, 4, 5, 6, 7, 8');
    expect(chunks.length).toBeGreaterThan(3);
  });

  it.each(clients)('runs a graph of model and tools to completion through %s', async (client) => {
    const asked: unknown[] = [];
    const graph = agentOf(models[client], asked);
    const { messages } = await graph.invoke({ messages: [new HumanMessage('What is the weather in Paris?')] });
    expect(asked).toEqual([{ city: 'Paris' }]);
    expect(messages.at(-1)?.text).toMatch(/18|cloudy/);
  });
});
