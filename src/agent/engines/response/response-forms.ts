/** A whole response as chunks, and chunks as a whole response, for engines that give the one where the other was asked for. */
import { isJsonObject, elementsOf } from '../../../kernel/json-object.js';
import type { EngineObject, EngineRoute } from '../engine.js';

/** The chunks of a response that was normalised. */
export function chunksOf(response: EngineObject, route: EngineRoute): readonly EngineObject[] {
  const { choices, usage, ...rest } = response;
  const envelope = { ...rest, object: route === 'chat' ? 'chat.completion.chunk' : 'text_completion' };
  const chunks: EngineObject[] = [];
  for (const choice of elementsOf(choices).filter(isJsonObject)) {
    const { index, message, finish_reason: reason, ...more } = choice;
    const begin = route === 'chat' ? { index, delta: deltaOf(message), ...more } : { index, ...more };
    const end = route === 'chat' ? { index, delta: {} } : { index, text: '' };
    chunks.push(
      { ...envelope, choices: [{ ...begin, finish_reason: null }] },
      { ...envelope, choices: [{ ...end, finish_reason: reason }] },
    );
  }
  if (isJsonObject(usage)) chunks.push({ ...envelope, choices: [], usage });
  return chunks;
}

function deltaOf(message: unknown): EngineObject {
  if (!isJsonObject(message)) return {};
  const calls = message['tool_calls'];
  if (!Array.isArray(calls)) return message;
  const numbered = calls.map((call: unknown, index) => (isJsonObject(call) ? { index, ...call } : call));
  return { ...message, tool_calls: numbered };
}

/** The response that normalised chunks make; undefined where they have no choice. */
export function responseOf(chunks: readonly EngineObject[], route: EngineRoute): EngineObject | undefined {
  let response: EngineObject | undefined;
  const choices = new Map<unknown, EngineObject>();
  for (const { choices: parts, usage, ...envelope } of chunks) {
    response = { ...envelope, ...response, ...(isJsonObject(usage) && { usage }) };
    for (const part of elementsOf(parts).filter(isJsonObject)) {
      const begun = choices.get(part['index']);
      if (begun === undefined) choices.set(part['index'], beginningOf(part, route));
      else addTo(begun, part, route);
    }
  }
  if (response === undefined || choices.size === 0) return undefined;
  return {
    ...response,
    object: route === 'chat' ? 'chat.completion' : 'text_completion',
    choices: [...choices.values()].sort((one, other) => Number(one['index']) - Number(other['index'])),
  };
}

function beginningOf(part: EngineObject, route: EngineRoute): EngineObject {
  const { delta, ...choice } = part;
  if (route === 'completions') return { ...choice };
  const message: EngineObject = { role: 'assistant', content: null };
  if (isJsonObject(delta)) addDelta(message, delta);
  return { ...choice, message };
}

function addTo(choice: EngineObject, part: EngineObject, route: EngineRoute): void {
  const { delta, text, logprobs, finish_reason: reason } = part;
  if (route === 'completions') choice['text'] = String(choice['text']) + (typeof text === 'string' ? text : '');
  else if (isJsonObject(delta) && isJsonObject(choice['message'])) addDelta(choice['message'], delta);
  if (isJsonObject(logprobs)) choice['logprobs'] = joinedLogprobs(choice['logprobs'], logprobs);
  choice['finish_reason'] = reason ?? choice['finish_reason'];
}

function joinedLogprobs(before: unknown, next: EngineObject): EngineObject {
  if (!isJsonObject(before)) return next;
  const lists = Object.entries(next).map(([name, value]) => {
    const earlier = before[name];
    return [
      name,
      Array.isArray(value) && Array.isArray(earlier) ? [...(earlier as unknown[]), ...(value as unknown[])] : value,
    ] as const;
  });
  return { ...before, ...Object.fromEntries(lists) };
}

function addDelta(message: EngineObject, delta: EngineObject): void {
  for (const [name, value] of Object.entries(delta)) {
    const before = message[name];
    if (name === 'tool_calls') addCalls(message, elementsOf(value));
    else if (typeof value === 'string' && typeof before === 'string' && name !== 'role') message[name] = before + value;
    else if (value !== null && value !== undefined) message[name] = value;
  }
}

function addCalls(message: EngineObject, fragments: readonly unknown[]): void {
  const calls = elementsOf(message['tool_calls']).filter(isJsonObject);
  for (const fragment of fragments.filter(isJsonObject)) {
    const { index, ...call } = fragment;
    const begun = calls[Number(index)];
    if (begun === undefined) calls.push(call);
    else begun['function'] = joinedCall(begun['function'], call['function']);
  }
  if (calls.length > 0) message['tool_calls'] = calls;
}

/** The first fragment of a call has everything but the rest of its arguments. */
export function joinedCall(first: unknown, more: unknown): unknown {
  if (!isJsonObject(first) || !isJsonObject(more)) return first;
  return { ...first, arguments: joinedArguments(first['arguments'], more['arguments']) };
}

/** An object is whole: there is nothing to put behind it. */
function joinedArguments(first: unknown, more: unknown): unknown {
  if (typeof first === 'string' && typeof more === 'string') return first + more;
  return first == null || first === '' ? (more ?? '') : first;
}
