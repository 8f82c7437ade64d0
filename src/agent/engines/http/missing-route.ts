import { EngineFailure, type EngineRoute, type ExtensionRoute } from '../engine.js';
import { readErrorText } from './engine-http.js';
import { failureOfStatus } from '../failures/failures.js';
import type { EngineHttpResponse } from './response-handler.js';

const deeds: Readonly<Record<ExtensionRoute, string>> = {
  count: 'count tokens',
  embeddings: 'embed',
  rerank: 'rerank',
};

/** The engine, or this version of it, cannot answer the requests of an extension. */
export const routeMissing = (route: ExtensionRoute): EngineFailure =>
  new EngineFailure({
    code: 'unsupported_capability',
    status: 501,
    message: `The engine of this model does not ${deeds[route]}.`,
    param: 'model',
    retry_after_seconds: null,
  });

/** 404, 405 and 501 are how servers say that they have no such route; a 404 is also how they say that they have no such model. */
export const missingStatuses: ReadonlySet<number> = new Set([404, 405, 501]);

/** Undefined when the engine has the route, as far as its response tells. The body of the response is read otherwise. */
export async function missingRoute(
  response: EngineHttpResponse,
  route: EngineRoute,
): Promise<EngineFailure | undefined> {
  if (route !== 'completions' || !missingStatuses.has(response.statusCode)) return undefined;
  const text = await readErrorText(response);
  // mlx-lm answers 404 to failures of its own, too.
  if (/\bmodel\b|\bthread died\b/i.test(text))
    return failureOfStatus({ status: response.statusCode, retryAfter: undefined, text });
  return new EngineFailure(
    {
      code: 'unsupported_capability',
      status: 400,
      message: 'The engine of this model has no text completions (`/v1/completions`).',
      param: 'model',
      retry_after_seconds: null,
    },
    { capability: 'completions' },
  );
}
