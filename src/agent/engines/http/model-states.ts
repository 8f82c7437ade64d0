/** State queries of management operations. */
import type { EngineModel } from '../engine.js';
import { OperationFailure } from '../engine-management.js';
import { until } from './engine-command.js';
import type { EngineHandle } from './engine-adapter.js';

/** Resolves when the engine does not list the model any more. @throws the signal's reason on abort */
export const untilGone = ({ probeNow }: EngineHandle, model: string, signal: AbortSignal): Promise<true> =>
  until(signal, async () => ((await probeNow()).some(({ engine_model: id }) => id === model) ? undefined : true));

interface ModelStates {
  /** Probes the engine now, so the relay gets the same state. @throws OperationFailure when there is no such model */
  readonly stateOf: (handle: EngineHandle, model: string) => Promise<EngineModel['state']>;
  /** @throws as `stateOf`; the signal's reason on abort */
  readonly untilState: (
    handle: EngineHandle,
    model: string,
    state: EngineModel['state'],
    signal: AbortSignal,
  ) => Promise<true>;
}

/** @param unknown message for a model that the engine does not have */
export function modelStates(unknown: (model: string) => string): ModelStates {
  const stateOf: ModelStates['stateOf'] = async ({ probeNow }, model) => {
    const found = (await probeNow()).find(({ engine_model: id }) => id === model);
    if (found !== undefined) return found.state;
    throw new OperationFailure('unknown_model', unknown(model));
  };
  return {
    stateOf,
    untilState: (handle, model, state, signal) =>
      until(signal, async () => ((await stateOf(handle, model)) === state ? true : undefined)),
  };
}
