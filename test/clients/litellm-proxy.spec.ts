/**
 * Ferry behind the proxy of LiteLLM, once as an OpenAI-compatible provider and once as an Anthropic one. The proxy's own clients are OpenAI's SDK.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { eventually } from '../support/clock/eventually.js';
import { cutMidway, neverEnding, startClientNode } from '../support/client/client-node.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { freePort } from '../support/network/free-port.js';
import { FerryProcess } from '../support/process/ferry-process.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import type { TestNode } from '../support/process/test-node.js';
import { INSTALL_WITHIN_MS, pythonWith } from './client-command.js';

const folder = path.join(import.meta.dirname, 'litellm-proxy');
/** Its own: without one it does not start. */
const KEY = 'sk-of-the-proxy';
/** It loads some thousand modules. */
const START_MS = 240_000;
const TEST_WITHIN_MS = 60_000;

let engine: FakeEngine;
let node: TestNode;
let proxy: FerryProcess | undefined;
let directory: string;
let openai: OpenAI;
let relay: Tenant;

/** The example of the page, and the same for the models that only a test asks for. */
async function configuration(url: string): Promise<string> {
  const example = (await readFile(path.join(folder, 'config.yaml'), 'utf8')).replaceAll('https://relay.example', url);
  const [head = '', entries = ''] = example.split('model_list:\n');
  const others = ['fake', 'absent'].map((model) => entries.replaceAll('tiny', model));
  return `${head}model_list:\n${entries}${others.join('')}litellm_settings:\n  num_retries: 0\n`;
}

shareRelay(async (shared) => {
  relay = shared;
  engine = await FakeEngine.start();
  node = await startClientNode(relay, engine);
  directory = await mkdtemp(path.join(tmpdir(), 'ferry-litellm-'));
  await writeFile(path.join(directory, 'config.yaml'), await configuration(relay.baseUrl));
});

beforeAll(async () => {
  const python = await pythonWith(path.join(folder, 'requirements.txt'));
  const port = await freePort();
  const args = ['--config', 'config.yaml', '--host', '127.0.0.1', '--port', String(port), '--telemetry', 'False'];
  proxy = FerryProcess.startProgram(path.join(path.dirname(python), 'litellm'), args, directory, {
    LITELLM_MASTER_KEY: KEY,
    // Prices come with the package.
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    FERRY_API_KEY: relay.apiKey,
    ANTHROPIC_AUTH_TOKEN: relay.apiKey,
    ANTHROPIC_API_KEY: undefined,
  });
  openai = new OpenAI({ apiKey: KEY, baseURL: `http://127.0.0.1:${port}/v1`, maxRetries: 0 });
  await eventually(
    'the proxy answers',
    async () => {
      if (proxy?.running === false) throw new Error(`the proxy ended: ${proxy.ending}`);
      return (await openai.models.list()).data.length > 0;
    },
    START_MS,
  );
}, INSTALL_WITHIN_MS + START_MS);

afterAll(async () => {
  proxy?.child.kill('SIGKILL');
  await proxy?.exited;
  await node.stop();
  await engine.stop();
  await rm(directory, { recursive: true, force: true });
}, 60_000);

describe.each([
  ['Chat Completions', ''],
  ['the Messages API', '-messages'],
])('the proxy of LiteLLM, through %s', (_protocol, suffix) => {
  const ask = (content: string, model = 'tiny') => ({
    model: `${model}${suffix}`,
    messages: [{ role: 'user' as const, content }],
    max_tokens: 200,
    temperature: 0,
  });

  const test = (title: string, body: () => Promise<void>): void => it(title, body, TEST_WITHIN_MS);

  test('gets an answer and the usage', async () => {
    const { choices, usage } = await openai.chat.completions.create(ask('Hello'));
    expect(choices[0]?.message.content).toBe('Hello! How can I help you today?');
    expect(usage?.prompt_tokens).toBeGreaterThan(0);
    expect(usage?.completion_tokens).toBeGreaterThan(0);
  });

  test('streams an answer in pieces', async () => {
    const chunks: string[] = [];
    for await (const { choices } of await openai.chat.completions.create({ ...ask('Count to 8'), stream: true })) {
      const chunk = choices[0]?.delta.content;
      if (typeof chunk === 'string' && chunk !== '') chunks.push(chunk);
    }
    expect(chunks.join('')).toBe('1, 2, 3, 4, 5, 6, 7, 8');
    expect(chunks.length).toBeGreaterThan(3);
  });

  test('calls a tool and continues with its result', async () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters } }];
    const asked = ask('What is the weather in Paris?');
    const message = (await openai.chat.completions.create({ ...asked, tools })).choices[0]?.message;
    const [call] = message?.tool_calls ?? [];
    if (message === undefined || call?.type !== 'function') throw new Error(`no call: ${message?.content}`);
    expect(JSON.parse(call.function.arguments)).toEqual({ city: 'Paris' });
    const result = { role: 'tool' as const, tool_call_id: call.id, content: 'sunny, 21 degrees' };
    const messages = [...asked.messages, message, result];
    const after = await openai.chat.completions.create({ ...asked, tools, messages });
    expect(after.choices[0]?.message.content).toMatch(/\w/);
  });

  test('gets an object that follows a schema', async () => {
    const schema = {
      type: 'object',
      properties: { city: { type: 'string', enum: ['Oslo', 'Paris'] } },
      required: ['city'],
      additionalProperties: false,
    };
    const { choices } = await openai.chat.completions.create({
      ...ask('Give me a city as JSON.'),
      response_format: { type: 'json_schema', json_schema: { name: 'place', strict: true, schema } },
    });
    const { city } = JSON.parse(choices[0]?.message.content ?? '') as { readonly city: string };
    expect(['Oslo', 'Paris']).toContain(city);
  });

  test('gets reasoning apart from the text', async () => {
    const { choices } = await openai.chat.completions.create(ask('Hello /think'));
    const message = choices[0]?.message as { readonly content: string; readonly reasoning_content?: string };
    expect(message.reasoning_content).toMatch(/\w/);
    expect(message.content).not.toContain('<think>');
  });

  test('says in its error that there is no such model', async () => {
    await expect(openai.chat.completions.create(ask('Hello', 'absent'))).rejects.toThrow(
      /There is no model 'absent'\./,
    );
  });

  test('takes a stream that fails midway for a failure, and says why', async () => {
    engine.respond = cutMidway('the graphics card has run out of memory');
    const read = async (): Promise<void> => {
      for await (const part of await openai.chat.completions.create({ ...ask('hi', 'fake'), stream: true })) void part;
    };
    await expect(read()).rejects.toThrow('the graphics card has run out of memory');
  });

  test('ends the work of the engine when its client leaves a stream', async () => {
    const arrived = engine.nextCall();
    engine.respond = neverEnding;
    for await (const { choices } of await openai.chat.completions.create({ ...ask('hi', 'fake'), stream: true })) {
      if (choices[0]?.delta.content) break;
    }
    await (
      await arrived
    ).aborted;
  });
});
