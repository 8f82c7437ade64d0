/** The one reader of whole responses, before any dialect (docs/reference/engines.md#what-engines-send). */
import { isJsonObject } from '../../../kernel/json-object.js';
import { repairTexts } from '../../../kernel/well-formed-text.js';
import type { EngineObject } from '../engine.js';
import { engineError } from '../failures/failures.js';
import { joinedCall } from './response-forms.js';
import type { AnsweredRequest } from './answered-request.js';
import { CallAssembly } from './call-assembly.js';
import { indexIn, readCallFragment } from './call-fragment.js';
import { CallIds } from './call-ids.js';
import { normaliseEnvelope } from './envelope-fields.js';
import { finishReasonOf } from './finish-reason.js';
import { textsOfParts } from './part-texts.js';
import { normaliseTexts } from './text-fields.js';

/**
 * Converts the response in place. A document that was read to its end is complete: an end that the engine does not name is `stop`.
 * @param mayBeHalved whether its texts may contain half surrogate pairs
 * @throws EngineFailure when it is no response, or one that the engine gave up
 */
export function normaliseResponse(
  response: EngineObject,
  request: AnsweredRequest,
  mayBeHalved: boolean,
): EngineObject {
  if (isJsonObject(response['choices'])) response['choices'] = [response['choices']];
  const { choices } = response;
  if (!Array.isArray(choices) || choices.length === 0) throw engineError('The engine responded without any choice.');
  normaliseEnvelope(response);
  let made: CallIds | undefined;
  const ids = (): CallIds => (made ??= new CallIds(request.body));
  for (let position = 0; position < choices.length; position += 1) {
    const choice: unknown = choices[position];
    if (!isJsonObject(choice)) throw engineError('The engine responded with a malformed choice.');
    choice['index'] = choices.length === 1 ? 0 : (indexIn(choice['index']) ?? position);
    const reason = finishReasonOf(choice['finish_reason']) ?? 'stop';
    const calls = request.route === 'chat' ? takeMessage(choice, ids, reason === 'length') : takeText(choice);
    choice['finish_reason'] = reason === 'stop' && calls > 0 ? 'tool_calls' : reason;
  }
  if (mayBeHalved) repairTexts(response);
  return response;
}

/** @returns the number of calls */
function takeMessage(choice: EngineObject, ids: () => CallIds, cut: boolean): number {
  const message = messageOf(choice);
  if (choice['message'] !== message) choice['message'] = message;
  if (message['role'] === undefined || message['role'] === null) message['role'] = 'assistant';
  normaliseTexts(message);
  const { tool_calls: value } = message;
  if (value === undefined || value === null) return 0;
  const calls = wholeCalls(Array.isArray(value) ? value : [value], ids(), cut);
  if (calls.length > 0) message['tool_calls'] = calls;
  else if (!Array.isArray(value) || value.length > 0) delete message['tool_calls'];
  return calls.length;
}

function messageOf(choice: EngineObject): EngineObject {
  const { message, delta, text } = choice;
  if (isJsonObject(message)) return message;
  if (isJsonObject(delta)) {
    delete choice['delta'];
    return delta;
  }
  if (typeof text !== 'string' && typeof message !== 'string')
    throw engineError('The engine responded with a malformed choice.');
  delete choice['text'];
  return { role: 'assistant', content: typeof message === 'string' ? message : text };
}

function takeText(choice: EngineObject): number {
  const { text, message } = choice;
  if (typeof text === 'string') return 0;
  if (isJsonObject(message)) delete choice['message'];
  else if (text === undefined) throw engineError('The engine responded with a malformed choice.');
  choice['text'] = textsOfParts(text ?? (isJsonObject(message) ? message['content'] : '')).text;
  return 0;
}

/** Every entry of the list is a call, whatever its index says, unless it repeats one. */
function wholeCalls(list: readonly unknown[], ids: CallIds, cut: boolean): readonly EngineObject[] {
  const assembly = new CallAssembly(ids);
  const calls: EngineObject[] = [];
  const put = (fragments: readonly EngineObject[]): void => {
    for (const fragment of fragments) {
      const { index, ...call } = fragment;
      const begun = calls[Number(index)];
      if (begun === undefined) calls.push(call);
      else begun['function'] = joinedCall(begun['function'], call['function']);
    }
  };
  const others: EngineObject[] = [];
  list.forEach((raw, position) => {
    const fragment = readCallFragment(raw);
    if (fragment !== undefined) put(assembly.take({ ...fragment, index: position }, position));
    else if (isJsonObject(raw)) others.push(raw);
  });
  put(assembly.finish(cut));
  // Clients parse them, and not all accept an empty text as an empty object.
  for (const call of calls) if (isJsonObject(call['function'])) call['function']['arguments'] ||= '{}';
  return [...calls, ...others];
}
