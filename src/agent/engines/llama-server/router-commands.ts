/** Single requests to a router, for operations that are made of several. */
import { OperationFailure } from '../engine-management.js';
import { command } from '../http/engine-command.js';
import type { EngineHandle } from '../http/http-engine.js';
import { modelStates } from '../http/model-states.js';

/** The router answers when it has sent the signal; the best effort of a clean-up must not hold up the cancelling. */
const CLEAN_UP_MS = 5_000;

/** @param already how the router says that there is nothing to do */
export async function accepted(
  { http }: EngineHandle,
  path: string,
  model: string,
  signal: AbortSignal,
  already: RegExp,
): Promise<void> {
  try {
    await command(http, { method: 'POST', path, json: { model }, signal });
  } catch (error) {
    if (!(error instanceof OperationFailure) || !already.test(error.message)) throw error;
  }
}

export const { stateOf } = modelStates((model) => `llama-server has no model ${model}.`);

/** Stops what was begun; whether that works or not, the operation is over. */
export async function quietly({ http, probeNow }: EngineHandle, model: string): Promise<void> {
  const signal = AbortSignal.timeout(CLEAN_UP_MS);
  await command(http, { method: 'POST', path: '/models/unload', json: { model }, signal }).catch(() => undefined);
  await probeNow();
}
