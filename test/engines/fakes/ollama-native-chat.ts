/** The fake Ollama's `/api/chat` and `/api/generate`: one JSON object per line, arguments of calls as objects. */
import { setTimeout as delay } from 'node:timers/promises';
import type { FakeRequest } from './fake-server.js';

const STORY_PACE_MS = 10;
const words = ['Hello', '! How', ' can I help', ' you today?'];

interface RequestReceived {
  readonly model?: string;
  readonly stream?: boolean;
  readonly prompt?: string;
  readonly think?: unknown;
  readonly messages?: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

export async function respondNatively(request: FakeRequest, promptTokens: number, thinks = false): Promise<void> {
  const asked = request.body as RequestReceived;
  // A thinking model thinks unless it is told not to, and a small answer is then all thought.
  const onlyThinks = request.path === '/api/generate' && thinks && asked.think !== false;
  const question = JSON.stringify(asked.messages?.at(-1)?.content ?? asked.prompt ?? '');
  const calls = question.includes('weather') && asked.tools?.some((tool) => tool.function.name === 'get_weather');
  const envelope = { model: asked.model, created_at: '2026-01-01T00:00:00.123456789Z' };
  const reported = (text: string): object =>
    onlyThinks
      ? { response: '', thinking: text }
      : request.path === '/api/generate'
        ? { response: text }
        : { message: { role: 'assistant', content: text } };
  const call = { id: 'call_native', function: { index: 0, name: 'get_weather', arguments: { city: 'Paris' } } };
  const called = { message: { role: 'assistant', content: '', tool_calls: [call] } };
  const end = {
    done: true,
    done_reason: 'stop',
    total_duration: 1,
    prompt_eval_count: promptTokens,
    eval_count: 10,
  };
  if (asked.stream === false) {
    request.json(200, { ...envelope, ...(calls === true ? called : reported(words.join(''))), ...end });
    return;
  }
  request.startStream('application/x-ndjson');
  const line = (part: object): void =>
    void request.response.write(`${JSON.stringify({ ...envelope, done: false, ...part })}\n`);
  while (question.includes('story') && !request.response.destroyed) {
    line(reported('and then '));
    await delay(STORY_PACE_MS);
  }
  if (asked.think !== undefined && asked.think !== false) {
    line({ message: { role: 'assistant', content: '', thinking: 'They greet me.' } });
  }
  if (calls === true) line(called);
  else for (const word of words) line(reported(word));
  line({ ...reported(''), ...end });
  request.response.end();
}
