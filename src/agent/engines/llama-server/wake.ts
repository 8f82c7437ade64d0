import type { EngineManagement } from '../engine-management.js';
import { command } from '../http/engine-command.js';
import type { EngineHandle } from '../http/http-engine.js';
import { modelStates } from '../http/model-states.js';

const { stateOf, untilState } = modelStates((model) => `llama-server does not serve ${model}.`);

/**
 * `load` for a server with one model: with `--sleep-idle-seconds` it drops the weights, and reads them again for any request that needs the
 * model's vocabulary. For a model that is not asleep, and for a context length, `otherwise` decides.
 */
export const wakingLoad =
  (
    handle: EngineHandle,
    isRouter: () => boolean,
    otherwise: NonNullable<EngineManagement['load']>,
  ): NonNullable<EngineManagement['load']> =>
  async (model, options, context) => {
    const sleeps =
      options.contextTokens === undefined &&
      !isRouter() &&
      (await stateOf(handle, model)) === 'installed' &&
      !isRouter();
    if (!sleeps) return otherwise(model, options, context);
    const { signal, report } = context;
    report({ phase: 'waking up', completedBytes: null, totalBytes: null });
    await command(handle.http, { method: 'POST', path: '/tokenize', json: { content: '' }, signal });
    await untilState(handle, model, 'loaded', signal);
  };
