/** Handles the differences of mlx-lm's server (docs/reference/engines.md#other-engines). */
import { isJsonObject } from '../../../kernel/json-object.js';
import { EngineFailure, type EngineRoute } from '../engine.js';
import { engineError } from '../failures/failures.js';
import type { EngineHttp } from '../http/engine-http.js';
import type { AdaptedRequest } from '../http/engine-adapter.js';
import { probeOf, UnusableEngineError } from '../http/probe.js';
import { moreThanOne, RequestFields, type IgnoredFields } from '../http/request-fields.js';

export const MLX_LM = 'mlx-lm';

const requestsFormat = (value: unknown): boolean => isJsonObject(value) && value['type'] !== 'text';

const ignored: Record<EngineRoute, IgnoredFields> = {
  chat: {
    n: moreThanOne,
    response_format: requestsFormat,
    tool_choice: (value) => value !== undefined && value !== 'auto',
  },
  completions: { n: moreThanOne, best_of: moreThanOne },
};
const lookedAt: Record<EngineRoute, ReadonlySet<string>> = {
  chat: new Set(Object.keys(ignored.chat)),
  completions: new Set([...Object.keys(ignored.completions), 'prompt']),
};

/**
 * The fields that it ignores silently are reported to the client.
 * @throws EngineFailure for a prompt that is no text: it would end the thread that answers everybody
 */
export function adaptToMlxLm(body: Buffer, route: EngineRoute): AdaptedRequest {
  const fields = new RequestFields(body, lookedAt[route]);
  fields.reportIgnored(ignored[route]);
  const prompt = route === 'completions' ? fields.value('prompt') : undefined;
  if (prompt !== undefined && typeof prompt !== 'string') {
    const message = 'The engine of this model takes one text as prompt, no list.';
    throw new EngineFailure({
      code: 'invalid_request',
      status: 400,
      message,
      param: 'prompt',
      retry_after_seconds: null,
    });
  }
  return { body: fields.changedBody(), dropped: fields.dropped };
}

/** @throws UnusableEngineError when the thread that generates has ended: it lists its models, and fails every request until it is restarted */
export async function checkMlxLm(http: EngineHttp): Promise<void> {
  const { status } = await probeOf(http)('/health');
  if (status === 503) throw new UnusableEngineError('has lost the thread that generates (mlx-lm): restart it');
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
