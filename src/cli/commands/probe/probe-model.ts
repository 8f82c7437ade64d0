import { CliError } from '../../core/errors/cli-error.js';
import type { InferenceClient } from '../chat/inference-client.js';
import { emptyResponse, readResponse } from '../chat/read-response.js';
import type { ProbedModel } from './probe.shape.js';

interface ProbeLimits {
  readonly timeoutMs: number;
  /** Ends the program; not a failure of the model. */
  readonly stop: AbortSignal;
}

/** Asks one model for one token. Every failure is a result; never rejects, except when the program is stopped. */
export async function probeModel(
  client: InferenceClient,
  model: string,
  { timeoutMs, stop }: ProbeLimits,
): Promise<Omit<ProbedModel, 'last_error'>> {
  const startMs = performance.now();
  const elapsedMs = (): number => Math.round(performance.now() - startMs);
  const timeout = AbortSignal.timeout(timeoutMs);
  let firstTokenMs: number | null = null;
  let requestId: string | null = null;
  const chunk = (): void => {
    firstTokenMs ??= elapsedMs();
  };
  const result = (error: ProbedModel['error']) => ({
    model,
    up: error === null,
    first_token_ms: firstTokenMs,
    total_ms: elapsedMs(),
    request_id: requestId,
    error,
  });
  try {
    const stream = await client.chat(
      { model, messages: [{ role: 'user', content: 'Hi' }], maxTokens: 1, clusterId: undefined },
      AbortSignal.any([timeout, stop]),
    );
    ({ requestId } = stream);
    await readResponse(stream, emptyResponse(), { content: chunk, reasoning: chunk });
    return result(null);
  } catch (error) {
    if (stop.aborted) throw error;
    if (error instanceof CliError) {
      requestId = error.requestId ?? requestId;
      return result({ code: error.code, message: error.message });
    }
    return timeout.aborted
      ? result({ code: 'timeout', message: `no complete answer within ${String(timeoutMs / 1_000)} s` })
      : result({ code: 'failure', message: String(error) });
  }
}
