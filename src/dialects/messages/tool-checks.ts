/** `tools` and `tool_choice` of a messages request (docs/reference/translation.md#rejected-and-dropped-fields). */
import { elementsOf, isJsonObject, type JsonObject } from '../../kernel/json-object.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { invalidField } from '../field-checks.js';
import { isOwnTool } from './tools.js';

/** Checks `tools` itself, not the choice among them. @throws FerryError 400 */
export function checkTools(body: JsonObject): void {
  const tools = body['tools'] ?? [];
  if (!Array.isArray(tools)) throw invalidField('tools', 'must be an array');
  tools.forEach((tool: unknown, index) => {
    checkTool(tool, `tools[${index}]`);
  });
}

function checkTool(tool: unknown, path: string): void {
  if (!isJsonObject(tool)) throw invalidField(path, 'must be an object');
  if (!isOwnTool(tool)) return;
  if (typeof tool['name'] !== 'string' || tool['name'] === '') throw invalidField(`${path}.name`, 'is required');
  const schema = tool['input_schema'] ?? {};
  if (!isJsonObject(schema)) throw invalidField(`${path}.input_schema`, 'must be a JSON schema');
}

/** That `tool_choice` can be met by `tools`. @throws FerryError 400 */
export function checkChoice(body: JsonObject): void {
  const choice = body['tool_choice'] ?? undefined;
  if (choice === undefined) return;
  if (!isJsonObject(choice)) throw invalidField('tool_choice', 'must be an object with a `type`');
  const tools = elementsOf(body['tools']);
  if (choice['type'] === 'tool') {
    const named = tools.filter((tool) => isJsonObject(tool) && tool['name'] === choice['name']);
    if (choice['name'] === undefined || named.length === 0) {
      throw invalidField('tool_choice.name', 'names a tool that is not declared in `tools`');
    }
    if (!named.some(isOwnTool)) throw notHere('tool_choice.name', 'names a tool that only Anthropic can run');
  }
  if (choice['type'] === 'any') {
    if (tools.length === 0) throw invalidField('tool_choice', 'asks for a tool but `tools` is empty');
    if (!tools.some(isOwnTool))
      throw notHere('tool_choice', 'asks for a tool, and all of `tools` only Anthropic can run');
  }
}

const notHere = (param: string, fault: string): FerryError =>
  new FerryError('unsupported_parameter', `\`${param}\` ${fault}.`, { param });

/**
 * Every result must belong to a call in an earlier message of the assistant, as models and engines require.
 * @param earlierCalls ids of calls before these messages
 * @throws FerryError 400
 */
export function checkToolResults(messages: readonly unknown[], earlierCalls: Iterable<unknown> = []): void {
  const calls = new Set(earlierCalls);
  messages.forEach((message, at) => {
    if (!isJsonObject(message)) return;
    elementsOf(message['content']).forEach((block, index) => {
      if (!isJsonObject(block)) return;
      if (isCall(block, message)) calls.add(block['id']);
      if (block['type'] === 'tool_result' && !calls.has(block['tool_use_id'])) {
        throw invalidField(
          `messages[${at}].content[${index}].tool_use_id`,
          'names no `tool_use` of an earlier message',
        );
      }
    });
  });
}

/** The ids of all calls in these messages. */
export function* callIdsIn(messages: readonly unknown[]): Generator {
  for (const message of messages) {
    if (!isJsonObject(message)) continue;
    for (const block of elementsOf(message['content'])) {
      if (isJsonObject(block) && isCall(block, message)) yield block['id'];
    }
  }
}

const isCall = (block: JsonObject, message: JsonObject): boolean =>
  block['type'] === 'tool_use' && message['role'] === 'assistant';
