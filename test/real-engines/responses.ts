/** Answers of all routes in one form, so that they can be compared with each other. */
import { dataOf } from '../support/client/event-stream.js';
import type { JsonObject } from '../../src/kernel/json-object.js';

export type Route = 'chat' | 'completions' | 'responses' | 'messages';

export interface ReceivedResponse {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly finish: 'stop' | 'length' | 'tool_calls' | 'none';
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}

interface Draft {
  text: string;
  reasoning: string;
  calls: { name: string; arguments: string }[];
  finish: string;
  promptTokens: number | null;
  completionTokens: number | null;
}

const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? (value as JsonObject[]) : []);
const object = (value: unknown): JsonObject => (value ?? {}) as JsonObject;
const words = (value: unknown): string => (typeof value === 'string' ? value : '');
const count = (value: unknown): number | null => (typeof value === 'number' ? value : null);

const finishes: Readonly<Record<string, ReceivedResponse['finish']>> = {
  stop: 'stop',
  end_turn: 'stop',
  completed: 'stop',
  length: 'length',
  max_tokens: 'length',
  incomplete: 'length',
  tool_calls: 'tool_calls',
  tool_use: 'tool_calls',
};

/** @param events every JSON object of a stream, or the one of a response in one piece */
export function readResponse(route: Route, events: readonly JsonObject[]): ReceivedResponse {
  const draft: Draft = {
    text: '',
    reasoning: '',
    calls: [],
    finish: '',
    promptTokens: null,
    completionTokens: null,
  };
  for (const event of events) {
    if (event['error'] !== undefined && event['error'] !== null) throw new Error(JSON.stringify(event));
    readers[route](draft, event);
  }
  const calls = draft.calls.map(({ name, arguments: text }) => ({
    name,
    arguments: JSON.parse(text || '{}') as unknown,
  }));
  const finish = finishes[draft.finish] ?? 'none';
  return {
    ...draft,
    // Where a text begins is a matter of the parser.
    text: draft.text.trim(),
    reasoning: draft.reasoning.trim(),
    calls,
    finish: route === 'responses' && finish === 'stop' && calls.length > 0 ? 'tool_calls' : finish,
  };
}

/** @param text of a body: JSON, or an event stream */
export const responseOf = (route: Route, text: string, stream: boolean): ReceivedResponse =>
  readResponse(route, stream ? dataOf(text.split(/\r?\n/)) : [JSON.parse(text) as JsonObject]);

function usage(draft: Draft, value: unknown): void {
  const used = object(value);
  const cached = count(used['cache_read_input_tokens']) ?? 0;
  const prompt = count(used['prompt_tokens']) ?? count(used['input_tokens']);
  // A message's start may have no count yet.
  if (prompt !== null && prompt + cached > 0) draft.promptTokens = prompt + cached;
  draft.completionTokens = count(used['completion_tokens']) ?? count(used['output_tokens']) ?? draft.completionTokens;
}

const readers: Record<Route, (draft: Draft, event: JsonObject) => void> = {
  chat(draft, event) {
    for (const choice of objects(event['choices'])) {
      const part = object(choice['message'] ?? choice['delta']);
      draft.text += words(part['content']);
      draft.reasoning += words(part['reasoning_content'] ?? part['reasoning']);
      for (const [position, call] of objects(part['tool_calls']).entries()) {
        const made = object(call['function']);
        const target = (draft.calls[count(call['index']) ?? position] ??= { name: '', arguments: '' });
        target.name += words(made['name']);
        target.arguments += words(made['arguments']);
      }
      draft.finish = words(choice['finish_reason']) || draft.finish;
    }
    usage(draft, event['usage']);
  },
  completions(draft, event) {
    for (const choice of objects(event['choices'])) {
      draft.text += words(choice['text']);
      draft.finish = words(choice['finish_reason']) || draft.finish;
    }
    usage(draft, event['usage']);
  },
  responses(draft, event) {
    const whole = event['object'] === 'response' ? event : object(event['response']);
    // Of a stream, the last event has everything; that the deltas say the same is what the dialects' own specs prove.
    if (whole['status'] !== 'completed' && whole['status'] !== 'incomplete') return;
    for (const item of objects(whole['output'])) {
      const parts = [...objects(item['content']), ...objects(item['summary'])]
        .map((part) => words(part['text']))
        .join('');
      if (item['type'] === 'message') draft.text += parts;
      if (item['type'] === 'reasoning') draft.reasoning += parts;
      if (item['type'] === 'function_call')
        draft.calls.push({ name: words(item['name']), arguments: words(item['arguments']) });
    }
    draft.finish = words(whole['status']);
    usage(draft, whole['usage']);
  },
  messages(draft, event) {
    const blocks = event['content_block'] === undefined ? objects(event['content']) : [object(event['content_block'])];
    for (const block of blocks) {
      draft.text += words(block['text']);
      draft.reasoning += words(block['thinking']);
      if (block['type'] !== 'tool_use') continue;
      const input = JSON.stringify(block['input'] ?? {});
      draft.calls.push({ name: words(block['name']), arguments: input === '{}' ? '' : input });
    }
    const delta = object(event['delta']);
    draft.text += words(delta['text']);
    draft.reasoning += words(delta['thinking']);
    const call = draft.calls.at(-1);
    if (call !== undefined) call.arguments += words(delta['partial_json']);
    draft.finish = words(delta['stop_reason'] ?? event['stop_reason']) || draft.finish;
    usage(draft, event['usage'] ?? object(event['message'])['usage']);
  },
};

/** `field: the engine's own → through Ferry`, for each that is not the same. Counts that the engine does not tell are no difference. */
export function differences(own: ReceivedResponse, through: ReceivedResponse): Record<string, string> {
  const found: Record<string, string> = {};
  for (const field of Object.keys(own) as (keyof ReceivedResponse)[]) {
    const [before, after] = [JSON.stringify(own[field]), JSON.stringify(through[field])];
    if (before !== after && own[field] !== null) found[field] = `${before} → ${after}`;
  }
  return found;
}
