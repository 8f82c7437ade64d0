/** The texts of a delta or a message: what is no text is made one, whatever the engine sends in its place. */
import { isJsonObject } from '../../../kernel/json-object.js';
import type { EngineObject } from '../engine.js';
import { reasoningText, textsOfParts } from './part-texts.js';

const reasoningFields = ['reasoning_content', 'reasoning', 'reasoning_text'] as const;
/** All texts of a delta, in the order in which a client gets them. */
export const textFields = [...reasoningFields, 'content', 'refusal'] as const;

/** In place. Only the members that are there are looked at, because most deltas have one. */
export function normaliseTexts(reported: EngineObject): void {
  for (const name in reported) {
    const value = reported[name];
    if (typeof value !== 'string' && value !== null && value !== undefined) convert(reported, name, value);
    else if (name === 'role' && value !== 'assistant' && value !== null) reported['role'] = 'assistant';
    else if (name === 'thinking') takeThinking(reported, value);
  }
}

function convert(reported: EngineObject, name: string, value: unknown): void {
  switch (name) {
    case 'content':
      takeParts(reported, value);
      return;
    case 'reasoning_content':
    case 'reasoning':
    case 'reasoning_text':
      reported[name] = reasoningText(value);
      return;
    case 'refusal':
      reported['refusal'] = textsOfParts(value).text;
      return;
    case 'thinking':
      takeThinking(reported, value);
      return;
    case 'reasoning_details':
    case 'thinking_blocks':
      takeDetails(reported, value);
      return;
    case 'role':
      reported['role'] = 'assistant';
      return;
    default:
  }
}

/** Thinking among the parts of the content stays reasoning. */
function takeParts(reported: EngineObject, content: unknown): void {
  const { text, reasoning, refusal } = textsOfParts(typeof content === 'number' ? String(content) : content);
  reported['content'] = text;
  if (reasoning !== '')
    addTo(reported, reasoningFields.find((name) => isText(reported[name])) ?? 'reasoning_content', reasoning);
  if (refusal !== '') addTo(reported, 'refusal', refusal);
}

function takeThinking(reported: EngineObject, thinking: unknown): void {
  if (typeof thinking === 'boolean' || reasoningFields.some((name) => isText(reported[name]))) return;
  delete reported['thinking'];
  const text = reasoningText(thinking);
  if (text !== '') reported['reasoning_content'] = text;
}

/** Beside the reasoning they repeat it, with signatures; alone they would be lost on routes that have another form for it. */
function takeDetails(reported: EngineObject, details: unknown): void {
  if (reasoningFields.some((name) => isText(reported[name]))) return;
  const text = reasoningText(details);
  if (text !== '') reported['reasoning_content'] = text;
}

function addTo(reported: EngineObject, name: string, text: string): void {
  const before = reported[name];
  reported[name] = (typeof before === 'string' ? before : '') + text;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Whether a client would miss the delta: a role alone is nothing. */
export const hasMessage = (reported: EngineObject): boolean =>
  Object.entries(reported).some(
    ([name, value]) =>
      name !== 'role' &&
      value != null &&
      value !== '' &&
      !(Array.isArray(value) && value.length === 0) &&
      !isEmpty(value),
  );

const isEmpty = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length === 0;
