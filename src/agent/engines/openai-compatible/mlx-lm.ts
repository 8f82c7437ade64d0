/** What mlx-lm's server does differently (docs/reference/engines.md#other-engines). */
import { isJsonObject } from '../../../kernel/json-object.js';
import { EngineFailure, type EngineRoute } from '../engine.js';
import { engineError } from '../failures/failures.js';
import type { AdaptedRequest } from '../http/http-engine.js';
import { moreThanOne, RequestFields, type IgnoredFields } from '../http/request-fields.js';

export const MLX_LM = 'mlx-lm';

const asksForFormat = (value: unknown): boolean => isJsonObject(value) && value['type'] !== 'text';

const ignored: Record<EngineRoute, IgnoredFields> = {
  chat: {
    n: moreThanOne,
    response_format: asksForFormat,
    tool_choice: (value) => value !== undefined && value !== 'auto',
  },
  completions: { n: moreThanOne, best_of: moreThanOne },
};
const lookedAt: Record<EngineRoute, ReadonlySet<string>> = {
  chat: new Set(Object.keys(ignored.chat)),
  completions: new Set(Object.keys(ignored.completions)),
};

/** The fields that it ignores silently are reported to the client. */
export function adaptToMlxLm(body: Buffer, route: EngineRoute): AdaptedRequest {
  const fields = new RequestFields(body, lookedAt[route]);
  fields.reportIgnored(ignored[route]);
  return { body: fields.changedBody(), dropped: fields.dropped };
}

/** It answers 404 to every failure, its own included: `generation thread died`. */
export function explainMlxLm(failure: EngineFailure): EngineFailure {
  const { status, param } = failure.failure;
  const { message } = failure;
  if (status !== 404) return failure;
  if (!/template|content type|must be|should be|expected|required|invalid/i.test(message))
    return engineError(message, failure);
  return new EngineFailure(
    { code: 'engine_rejected_request', status: 400, message, param, retry_after_seconds: null },
    { cause: failure },
  );
}
