/**
 * Requirements of a responses request, from all of its items: an image in the history still requires a vision model
 * (docs/reference/requirements.md).
 */
import { elementsOf, isJsonObject, objectIn, type JsonObject } from '../../kernel/json-object.js';
import type { InputKind } from '../../kernel/dialect.js';
import { isWebAddress } from '../media-source.js';
import type { FieldPath, Requirements } from '../requirements.js';
import { isTextFile, mediaOf } from './media-parts.js';
import { declaredTools } from './tools/declared-tools.js';

/** No format nests parts deeper. */
const PART_DEPTH_LIMIT = 8;

interface Findings {
  readonly inputs: Map<InputKind, FieldPath>;
  readonly remoteMedia: Map<InputKind, FieldPath>;
  toolHistory: boolean;
}

/** Tolerates any JSON; invalid values fail in validation or in the engine. */
export function responsesRequirements(body: JsonObject): Requirements {
  const found: Findings = { inputs: new Map(), remoteMedia: new Map(), toolHistory: false };
  elementsOf(body['input']).forEach((item, index) => {
    if (isJsonObject(item)) lookIntoItem(item, `input[${String(index)}]`, found);
  });
  const { tools } = declaredTools(body);
  return {
    hard: { inputs: found.inputs, tools: tools.length > 0 ? 'tools' : null },
    soft: {
      toolHistory: found.toolHistory,
      forcedTool: forcesTool(body['tool_choice']),
      reasoning: wantsReasoning(body),
      structuredOutput:
        ['json_schema', 'json_object'].includes(String(objectIn(objectIn(body, 'text'), 'format')['type'])) ||
        tools.some(({ declaration }) => declaration['strict'] === true),
      logprobs: wantsLogprobs(body),
      audioOutput: elementsOf(body['modalities']).includes('audio'),
    },
    remoteMedia: found.remoteMedia,
  };
}

/** Also used by the translation, which must agree with routing. */
export const wantsLogprobs = (body: JsonObject): boolean =>
  Number(body['top_logprobs']) > 0 || elementsOf(body['include']).includes('message.output_text.logprobs');

function lookIntoItem(item: JsonObject, path: FieldPath, found: Findings): void {
  if (typeof item['call_id'] === 'string') found.toolHistory = true;
  lookIntoParts(item['content'], `${path}.content`, found, PART_DEPTH_LIMIT);
  lookIntoParts(item['output'], `${path}.output`, found, PART_DEPTH_LIMIT);
  // A screenshot is the output itself, not a list of parts.
  if (isJsonObject(item['output'])) lookIntoPart(item['output'], `${path}.output`, found, PART_DEPTH_LIMIT);
}

function lookIntoParts(content: unknown, path: FieldPath, found: Findings, depth: number): void {
  if (depth === 0) return;
  elementsOf(content).forEach((part, index) => {
    if (isJsonObject(part)) lookIntoPart(part, `${path}[${String(index)}]`, found, depth);
  });
}

function lookIntoPart(part: JsonObject, path: FieldPath, found: Findings, depth: number): void {
  const media = mediaOf(part, path);
  if (media !== undefined && !isTextFile(part)) {
    note(found.inputs, media.kind, path);
    const { source } = media;
    if (source !== undefined && isWebAddress(source.text)) note(found.remoteMedia, media.kind, source.path);
  }
  lookIntoParts(part['content'], `${path}.content`, found, depth - 1);
}

const note = (fields: Map<InputKind, FieldPath>, kind: InputKind, path: FieldPath): void => {
  if (!fields.has(kind)) fields.set(kind, path);
};

function forcesTool(choice: unknown): boolean {
  if (!isJsonObject(choice)) return choice === 'required';
  return choice['type'] !== 'allowed_tools' || choice['mode'] === 'required';
}

const wantsReasoning = (body: JsonObject): boolean => {
  const { effort } = objectIn(body, 'reasoning');
  return (
    (typeof effort === 'string' && effort !== 'none') ||
    elementsOf(body['include']).includes('reasoning.encrypted_content')
  );
};
