/** Checks tools before they are sent to an engine that takes a malformed one for its own failure. */
import { isJsonObject } from '../../../kernel/json-object.js';
import { EngineFailure } from '../engine.js';

/** @throws EngineFailure for what is no list of functions with names */
export function checkTools(tools: unknown): void {
  if (tools === undefined) return;
  if (!Array.isArray(tools)) throw malformed('tools must be a list.', 'tools');
  for (const [index, tool] of tools.entries()) {
    const at = `tools[${index}]`;
    if (!isJsonObject(tool)) throw malformed(`${at} must be an object.`, at);
    const { function: called } = tool;
    if (!isJsonObject(called)) throw malformed(`${at}.function is missing.`, `${at}.function`);
    const { name, parameters } = called;
    if (typeof name !== 'string' || name === '')
      throw malformed(`${at}.function.name is missing.`, `${at}.function.name`);
    if (parameters !== undefined && parameters !== null && !isJsonObject(parameters)) {
      throw malformed(`${at}.function.parameters must be a JSON schema.`, `${at}.function.parameters`);
    }
  }
}

const malformed = (message: string, param: string): EngineFailure =>
  new EngineFailure({ code: 'invalid_request', status: 400, message, param, retry_after_seconds: null });
