/** The texts of a delta or a message: what is no text is made one, whatever the engine sends in its place. */
import { isJsonObject } from '../../../kernel/json-object.js';
import type { EngineObject } from '../engine.js';
import { reasoningText, textsOfParts } from './part-texts.js';

const reasoningFields = ['reasoning_content', 'reasoning', 'reasoning_text'] as const;
/** All texts of a delta, in the order in which a client gets them. */
export const textFields = [...reasoningFields, 'content', 'refusal'] as const;

/** In place. Only the members that are there are looked at, because most deltas have one. */
export function normaliseTexts(said: EngineObject): void {
  for (const name in said) {
    const value = said[name];
    if (typeof value !== 'string' && value !== null && value !== undefined) convert(said, name, value);
    else if (name === 'role' && value !== 'assistant' && value !== null) said['role'] = 'assistant';
    else if (name === 'thinking') takeThinking(said, value);
  }
}

function convert(said: EngineObject, name: string, value: unknown): void {
  switch (name) {
    case 'content':
      takeParts(said, value);
      return;
    case 'reasoning_content':
    case 'reasoning':
    case 'reasoning_text':
      said[name] = reasoningText(value);
      return;
    case 'refusal':
      said['refusal'] = textsOfParts(value).text;
      return;
    case 'thinking':
      takeThinking(said, value);
      return;
    case 'reasoning_details':
    case 'thinking_blocks':
      takeDetails(said, value);
      return;
    case 'role':
      said['role'] = 'assistant';
      return;
    default:
  }
}

/** Thinking among the parts of the content stays reasoning. */
function takeParts(said: EngineObject, content: unknown): void {
  const { text, reasoning, refusal } = textsOfParts(typeof content === 'number' ? String(content) : content);
  said['content'] = text;
  if (reasoning !== '')
    addTo(said, reasoningFields.find((name) => isText(said[name])) ?? 'reasoning_content', reasoning);
  if (refusal !== '') addTo(said, 'refusal', refusal);
}

function takeThinking(said: EngineObject, thinking: unknown): void {
  if (typeof thinking === 'boolean' || reasoningFields.some((name) => isText(said[name]))) return;
  delete said['thinking'];
  const text = reasoningText(thinking);
  if (text !== '') said['reasoning_content'] = text;
}

/** Beside the reasoning they repeat it, with signatures; alone they would be lost on routes that have another form for it. */
function takeDetails(said: EngineObject, details: unknown): void {
  if (reasoningFields.some((name) => isText(said[name]))) return;
  const text = reasoningText(details);
  if (text !== '') said['reasoning_content'] = text;
}

function addTo(said: EngineObject, name: string, text: string): void {
  const before = said[name];
  said[name] = (typeof before === 'string' ? before : '') + text;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Whether a client would miss the delta: a role alone is nothing. */
export const saysSomething = (said: EngineObject): boolean =>
  Object.entries(said).some(
    ([name, value]) =>
      name !== 'role' &&
      value != null &&
      value !== '' &&
      !(Array.isArray(value) && value.length === 0) &&
      !isEmpty(value),
  );

const isEmpty = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length === 0;
