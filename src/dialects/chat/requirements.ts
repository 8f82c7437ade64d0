/**
 * Requirements of a chat request, from all of its messages: an image in the history still requires a vision model
 * (docs/reference/requirements.md).
 */
import { elementsOf, isJsonObject, objectIn, type JsonObject } from '../../kernel/json-object.js';
import type { InputKind } from '../../kernel/dialect.js';
import { isWebAddress } from '../media-source.js';
import { noFields, type FieldPath, type Requirements } from '../requirements.js';
import { mediaFormOf, mediaSourceOf } from './media-parts.js';

/** No format nests parts deeper. */
const PART_DEPTH_LIMIT = 8;

interface Findings {
  inputs: Map<InputKind, FieldPath> | null;
  remoteMedia: Map<InputKind, FieldPath> | null;
  toolHistory: boolean;
}

/** Tolerates any JSON; invalid values fail in validation or in the engine. */
export function chatRequirements(body: JsonObject): Requirements {
  const found: Findings = { inputs: null, remoteMedia: null, toolHistory: false };
  elementsOf(body['messages']).forEach((message, index) => {
    if (isJsonObject(message)) lookInto(message, index, found);
  });
  return {
    hard: { inputs: found.inputs ?? noFields, tools: toolsField(body) },
    soft: {
      toolHistory: found.toolHistory,
      forcedTool: forcesTool(body['tool_choice']) || isJsonObject(body['function_call']),
      reasoning: wantsReasoning(body),
      structuredOutput: wantsStructure(body),
      logprobs: body['logprobs'] === true || isPositive(body['top_logprobs']),
      audioOutput: elementsOf(body['modalities']).includes('audio') || isJsonObject(body['audio']),
    },
    remoteMedia: found.remoteMedia ?? noFields,
  };
}

function lookInto(message: JsonObject, index: number, found: Findings): void {
  if (message['role'] === 'tool' || elementsOf(message['tool_calls']).length > 0) found.toolHistory = true;
  // Fast path for text, which needs no path.
  if (typeof message['content'] === 'string' && message['audio'] === undefined) return;
  const path: FieldPath = `messages[${String(index)}]`;
  // Refers to audio output of an earlier response.
  if (typeof objectIn(message, 'audio')['id'] === 'string')
    found.inputs = noted(found.inputs, 'audio', `${path}.audio`);
  lookIntoParts(message['content'], `${path}.content`, found, PART_DEPTH_LIMIT);
}

function lookIntoParts(content: unknown, path: FieldPath, found: Findings, depth: number): void {
  if (depth === 0) return;
  elementsOf(content).forEach((part, index) => {
    if (!isJsonObject(part)) return;
    const partPath = `${path}[${String(index)}]`;
    const form = mediaFormOf(part);
    if (form !== undefined) {
      found.inputs = noted(found.inputs, form.kind, partPath);
      const source = mediaSourceOf(part, form, partPath);
      if (source !== undefined && isWebAddress(source.text))
        found.remoteMedia = noted(found.remoteMedia, form.kind, source.path);
    }
    lookIntoParts(part['content'], `${partPath}.content`, found, depth - 1);
  });
}

/** @returns the fields with the first one of this kind */
const noted = (
  fields: Map<InputKind, FieldPath> | null,
  kind: InputKind,
  path: FieldPath,
): Map<InputKind, FieldPath> => {
  if (fields === null) return new Map([[kind, path]]);
  return fields.has(kind) ? fields : fields.set(kind, path);
};

const toolsField = (body: JsonObject): FieldPath | null =>
  ['tools', 'functions'].find((name) => elementsOf(body[name]).length > 0) ?? null;

function forcesTool(choice: unknown): boolean {
  if (!isJsonObject(choice)) return choice === 'required';
  return choice['type'] !== 'allowed_tools' || objectIn(choice, 'allowed_tools')['mode'] === 'required';
}

const requestsEffort = (effort: unknown): boolean => typeof effort === 'string' && effort !== 'none';

const wantsReasoning = (body: JsonObject): boolean =>
  requestsEffort(body['reasoning_effort']) ||
  requestsEffort(objectIn(body, 'reasoning')['effort']) ||
  body['think'] === true ||
  requestsEffort(body['think']) ||
  objectIn(body, 'chat_template_kwargs')['enable_thinking'] === true ||
  ['enabled', 'adaptive'].includes(String(objectIn(body, 'thinking')['type']));

const wantsStructure = (body: JsonObject): boolean =>
  ['json_schema', 'json_object'].includes(String(objectIn(body, 'response_format')['type'])) ||
  elementsOf(body['tools']).some((tool) => isJsonObject(tool) && objectIn(tool, 'function')['strict'] === true);

const isPositive = (value: unknown): boolean => typeof value === 'number' && value > 0;
