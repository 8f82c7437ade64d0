/** `tools` of a chat request (docs/reference/translation.md#tools-of-other-routes-on-chat). */
import { elementsOf, isJsonObject, type JsonObject } from '../../kernel/json-object.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';

/** @throws FerryError 400 for a tool whose calls no engine can write on this route: dropping it would change what the model sees */
export function checkTools(body: JsonObject): void {
  elementsOf(body['tools']).forEach((tool, index) => {
    if (!isJsonObject(tool) || tool['type'] !== 'custom') return;
    const param = `tools[${String(index)}]`;
    throw new FerryError(
      'unsupported_parameter',
      `\`${param}\` is a custom tool with free text as input: send such tools to /v1/responses.`,
      { param },
    );
  });
}
