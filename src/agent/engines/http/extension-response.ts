import { isJsonObject, parseJson, type JsonObject } from '../../../kernel/json-object.js';
import type { ExtensionRoute } from '../engine.js';
import { engineError, failureInResponse, failureOfStatus } from '../failures/failures.js';
import { parseEngineError } from '../failures/error-parser.js';
import type { ExtensionRequest } from './engine-adapter.js';
import { headerText, readErrorText } from './engine-http.js';
import { missingStatuses, routeMissing } from './missing-route.js';

/** A list of a million tokens or of thousands of vectors. */
const RESPONSE_LIMIT_BYTES = 64 * 1024 * 1024;
const OK = 200;

interface ExtensionStep {
  readonly route: ExtensionRoute;
  readonly path: string;
  /** JSON. */
  readonly body: readonly Buffer[];
}

/**
 * The engine's response to one of its own routes.
 * @throws EngineFailure when it has no such route, refuses or fails; the signal's reason on abort
 */
export async function askEngine(
  { http, trace, signal }: ExtensionRequest,
  { route, path, body }: ExtensionStep,
): Promise<JsonObject> {
  const response = await http.send({ method: 'POST', path, body, trace, signal });
  const { statusCode: status, headers } = response;
  if (status !== OK) {
    const text = await readErrorText(response);
    // A 404 with an error about the model is of a route that exists.
    if (missingStatuses.has(status) && !/\bmodel\b/i.test(text)) throw routeMissing(route);
    throw failureOfStatus({ status, retryAfter: headerText(headers['retry-after']), text });
  }
  const text = await response.body.text(RESPONSE_LIMIT_BYTES);
  if (text === undefined) throw engineError(`The engine's response is larger than ${RESPONSE_LIMIT_BYTES} bytes.`);
  const object = parseJson(text);
  const error = parseEngineError(object);
  if (error !== undefined) throw failureInResponse(error);
  if (!isJsonObject(object)) throw engineError('The engine responded with something that is not a JSON object.');
  return object;
}
