/** Single requests to a router. */
import { OperationFailure } from '../engine-management.js';
import { command } from '../http/engine-command.js';
import type { EngineHandle } from '../http/engine-adapter.js';
import { modelStates } from '../http/model-states.js';

/** Limit of a clean-up, which must not delay a cancel. */
const CLEAN_UP_MS = 5_000;

/** @param already matches the router's error when there is nothing to do */
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

/** Best-effort unload after a cancelled or failed operation. */
export async function quietly({ http, probeNow }: EngineHandle, model: string): Promise<void> {
  const signal = AbortSignal.timeout(CLEAN_UP_MS);
  await command(http, { method: 'POST', path: '/models/unload', json: { model }, signal }).catch(() => undefined);
  await probeNow();
}
