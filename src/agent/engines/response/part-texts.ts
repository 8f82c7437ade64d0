/** Texts of messages that engines send as lists of typed parts (docs/reference/engines.md#what-engines-send). */
import { isJsonObject } from '../../../kernel/json-object.js';

interface PartTexts {
  text: string;
  reasoning: string;
  refusal: string;
}

/** No format nests parts deeper. */
const DEPTH_LIMIT = 8;

/** The texts of a list of parts or of one part. Thinking stays apart from what is said. */
export function textsOfParts(value: unknown): PartTexts {
  const texts: PartTexts = { text: '', reasoning: '', refusal: '' };
  collect(value, texts, 'text', DEPTH_LIMIT);
  return texts;
}

/** All texts of a value that holds nothing but reasoning. */
export function reasoningText(value: unknown): string {
  const { text, reasoning } = textsOfParts(value);
  return reasoning + text;
}

function collect(value: unknown, into: PartTexts, kind: keyof PartTexts, depth: number): void {
  if (typeof value === 'string') {
    into[kind] += value;
    return;
  }
  if (depth === 0) return;
  if (Array.isArray(value)) {
    for (const part of value) collect(part, into, kind, depth - 1);
    return;
  }
  if (!isJsonObject(value)) return;
  const { type, thought } = value;
  const inner = thought === true ? 'reasoning' : (kindOf(type) ?? kind);
  for (const name of members[inner]) {
    if (value[name] == null) continue;
    collect(value[name], into, inner, depth - 1);
    return;
  }
}

function kindOf(type: unknown): keyof PartTexts | undefined {
  if (typeof type !== 'string') return undefined;
  if (/think|thought|reason|summary/i.test(type)) return 'reasoning';
  return /refus/i.test(type) ? 'refusal' : undefined;
}

/** Members that hold the text of a part, the usual one first. */
const members: Readonly<Record<keyof PartTexts, readonly string[]>> = {
  text: ['text', 'content', 'output_text', 'value'],
  reasoning: ['thinking', 'reasoning', 'text', 'summary', 'content', 'reasoning_content'],
  refusal: ['refusal', 'text', 'content'],
};
