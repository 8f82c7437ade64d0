/**
 * Corrects deviations in engines' answers, so that clients get one format
 * (docs/reference/stream-transport.md#events-and-bytes, docs/reference/translation.md#chat-stream-to-a-responses-stream).
 */
import { isJsonObject } from '../../../kernel/json-object.js';
import type { EngineObject } from '../engine.js';
import { engineError } from './failures.js';

/** Memory bound; no engine gives more choices. */
const MAX_CHOICES = 128;

interface ChoiceState {
  /** Number of tool calls so far. */
  toolCalls: number;
  lastToolIndex: number;
  finished: boolean;
}

/** State of the choices of one stream. */
export class ChoiceWatch {
  private readonly choices = new Map<number, ChoiceState>();

  /** True once every choice has its `finish_reason`, which a complete stream requires. */
  get complete(): boolean {
    return this.choices.size > 0 && [...this.choices.values()].every((choice) => choice.finished);
  }

  /**
   * The chunk with normalised finish reasons and tool calls, changed in place. Undefined for other objects, such as an engine's ping.
   * @throws EngineFailure for a finish reason that means an error
   */
  take(chunk: EngineObject): EngineObject | undefined {
    const { choices } = chunk;
    if (!Array.isArray(choices)) {
      if (!isJsonObject(chunk['usage'])) return undefined;
      // Clients read `choices[0]` unchecked.
      chunk['choices'] = [];
      return chunk;
    }
    for (const [position, choice] of choices.entries()) if (isJsonObject(choice)) this.takeChoice(choice, position);
    return chunk;
  }

  private takeChoice(choice: Record<string, unknown>, position: number): void {
    const index = typeof choice['index'] === 'number' ? choice['index'] : position;
    choice['index'] = index;
    let state = this.choices.get(index);
    if (state === undefined) {
      if (this.choices.size >= MAX_CHOICES) throw engineError(`The engine sent more than ${MAX_CHOICES} choices.`);
      state = { toolCalls: 0, lastToolIndex: -1, finished: false };
      this.choices.set(index, state);
    }
    for (const call of toolCallsOf(choice['delta'])) giveIndex(call, state);
    const reason = finishReason(choice['finish_reason'], state.toolCalls > 0);
    choice['finish_reason'] = reason;
    if (reason !== null) state.finished = true;
  }
}

/**
 * Normalises a non-streaming answer in place.
 * @throws EngineFailure when it is not an answer, or not a finished one
 */
export function completeAnswer(answer: EngineObject): EngineObject {
  const { choices } = answer;
  if (!Array.isArray(choices) || choices.length === 0) throw engineError('The engine responded without any choice.');
  for (const choice of choices) {
    if (!isJsonObject(choice)) throw engineError('The engine responded with a malformed choice.');
    const reason = finishReason(choice['finish_reason'], toolCallsOf(choice['message']).length > 0);
    if (reason === null) throw engineError('The engine ended the response without a finish_reason.');
    choice['finish_reason'] = reason;
  }
  return answer;
}

/** Normalises the reason; `stop` after a tool call becomes `tool_calls`, so that agents run the tool. */
function finishReason(reason: unknown, calledTools: boolean): string | null {
  if (typeof reason !== 'string' || reason === '') return null;
  switch (reason) {
    case 'abort':
    case 'error':
      throw engineError('The engine failed in the middle of the response.');
    case 'stop':
    case 'eos':
    case 'eos_token':
    case 'end_turn':
    case 'repetition':
    case 'load':
    case 'unload':
      return calledTools ? 'tool_calls' : 'stop';
    default:
      return reason;
  }
}

/** The tool calls of a message or delta, with their arguments as text. */
function toolCallsOf(message: unknown): Record<string, unknown>[] {
  if (!isJsonObject(message) || !Array.isArray(message['tool_calls'])) return [];
  const calls = message['tool_calls'].filter(isJsonObject);
  for (const { function: called } of calls) {
    if (isJsonObject(called) && isJsonObject(called['arguments']))
      called['arguments'] = JSON.stringify(called['arguments']);
  }
  return calls;
}

/** Adds missing indices, by which clients join fragments: a name begins a new call, other fragments continue the last one. */
function giveIndex(call: Record<string, unknown>, state: ChoiceState): void {
  if (typeof call['index'] !== 'number') {
    const begins =
      isJsonObject(call['function']) && typeof call['function']['name'] === 'string' && call['function']['name'] !== '';
    call['index'] = begins || state.toolCalls === 0 ? state.toolCalls : state.lastToolIndex;
  }
  const index = Number(call['index']);
  state.lastToolIndex = index;
  state.toolCalls = Math.max(state.toolCalls, index + 1);
}
