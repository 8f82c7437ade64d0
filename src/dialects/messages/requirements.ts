/**
 * Requirements of a messages request, from all of its messages: an image in an old tool result still requires a vision model
 * (docs/reference/requirements.md).
 */
import { elementsOf, isJsonObject, objectIn, type JsonObject } from '../../kernel/json-object.js';
import type { InputKind } from '../../kernel/dialect.js';
import { isWebAddress } from '../media-source.js';
import type { FieldPath, Requirements } from '../requirements.js';
import { sourceOf } from './sources.js';
import { choiceType, isOwnTool, offersTools } from './tools.js';

/** As deep as content is checked. */
const NESTING_LIMIT = 8;

interface Findings {
  readonly inputs: Map<InputKind, FieldPath>;
  readonly remoteMedia: Map<InputKind, FieldPath>;
  toolHistory: boolean;
}

/** Tolerates any JSON; invalid values fail in validation or in the engine. */
export function messagesRequirements(body: JsonObject): Requirements {
  const found: Findings = { inputs: new Map(), remoteMedia: new Map(), toolHistory: false };
  elementsOf(body['messages']).forEach((message, index) => {
    if (isJsonObject(message)) lookInto(message['content'], `messages[${index}].content`, found, NESTING_LIMIT);
  });
  const choice = choiceType(body);
  return {
    // Dropped tools do not require a model with tools.
    hard: { inputs: found.inputs, tools: offersTools(body) ? 'tools' : null },
    soft: {
      toolHistory: found.toolHistory,
      forcedTool: choice === 'any' || choice === 'tool',
      reasoning: wantsReasoning(body),
      structuredOutput: wantsStructure(body),
      logprobs: false,
      audioOutput: false,
    },
    remoteMedia: found.remoteMedia,
  };
}

function lookInto(content: unknown, path: FieldPath, found: Findings, depth: number): void {
  if (depth === 0) return;
  elementsOf(content).forEach((block, index) => {
    if (!isJsonObject(block)) return;
    const blockPath = `${path}[${index}]`;
    switch (block['type']) {
      case 'image':
        note(found.inputs, 'image', blockPath);
        noteAddress('image', block, blockPath, found);
        return;
      case 'document':
        lookIntoDocument(block, blockPath, found, depth);
        return;
      case 'container_upload':
        note(found.inputs, 'file', blockPath);
        return;
      case 'tool_use':
        found.toolHistory = true;
        return;
      case 'tool_result':
        found.toolHistory = true;
        lookInto(block['content'], `${blockPath}.content`, found, depth - 1);
        return;
      default:
        lookInto(block['content'], `${blockPath}.content`, found, depth - 1);
    }
  });
}

/** Plain text and blocks become part of the prompt; anything else needs an engine that reads files. */
function lookIntoDocument(document: JsonObject, path: FieldPath, found: Findings, depth: number): void {
  const source = sourceOf(document);
  if (source?.kind === 'text') return;
  if (source?.kind === 'content') {
    lookInto(source.content, `${path}.source.content`, found, depth - 1);
    return;
  }
  note(found.inputs, 'file', path);
  noteAddress('file', document, path, found);
}

const note = (fields: Map<InputKind, FieldPath>, kind: InputKind, path: FieldPath): void => {
  if (!fields.has(kind)) fields.set(kind, path);
};

function noteAddress(kind: InputKind, block: JsonObject, path: FieldPath, found: Findings): void {
  const source = sourceOf(block);
  if (source?.kind === 'url' && isWebAddress(source.url)) note(found.remoteMedia, kind, `${path}.source.url`);
}

const wantsReasoning = (body: JsonObject): boolean =>
  ['enabled', 'adaptive', 'between_tools'].includes(String(objectIn(body, 'thinking')['type'])) ||
  typeof objectIn(body, 'output_config')['effort'] === 'string';

const wantsStructure = (body: JsonObject): boolean =>
  [objectIn(objectIn(body, 'output_config'), 'format'), objectIn(body, 'output_format')].some(
    (format) => format['type'] === 'json_schema',
  ) || elementsOf(body['tools']).some((tool) => isOwnTool(tool) && tool['strict'] === true);
