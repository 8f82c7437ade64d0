/**
 * Management operations of a llama-server in router mode (docs/reference/engines.md#llama-server). It answers at once and continues in the
 * background.
 */
import { OperationFailure, type EngineManagement, type OperationContext } from '../engine-management.js';
import { command, until } from '../http/engine-command.js';
import type { EngineHandle } from '../http/engine-adapter.js';
import { untilGone } from '../http/model-states.js';
import { accepted, quietly, stateOf } from './router-commands.js';
import { installFrom } from './router-install.js';

/** How many probes may still report the old state (also an earlier failure) before an accepted load counts as failed. */
const PROBES_BEFORE_LOADING = 8;

/** @param isRouter as of the last probe: a server that was started with one model supports no operation */
export function routerManagement(handle: EngineHandle, isRouter: () => boolean): Required<EngineManagement> {
  const whenRouter =
    <Arguments extends unknown[], Result>(work: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      if (!isRouter()) await handle.probeNow();
      if (isRouter()) return work(...given);
      throw new OperationFailure(
        'unsupported',
        'This llama-server was started with one model (-m). Start it without -m, with --models-dir, to load and unload models.',
      );
    };
  return {
    load: whenRouter((model, { contextTokens }, context) => load(handle, model, contextTokens, context)),
    unload: whenRouter((model, context) => unload(handle, model, context)),
    install: whenRouter((source, context) => installFrom(handle, source, context)),
    remove: whenRouter((model, context) => remove(handle, model, context)),
  };
}

async function load(
  handle: EngineHandle,
  model: string,
  contextTokens: number | undefined,
  context: OperationContext,
): Promise<void> {
  if (contextTokens !== undefined) {
    throw new OperationFailure(
      'unsupported',
      'llama-server takes the context length from its own settings: set --ctx-size or a preset where it is started.',
    );
  }
  const { signal, report } = context;
  report({ phase: 'loading', completedBytes: null, totalBytes: null });
  if ((await stateOf(handle, model)) === 'loaded') return;
  try {
    await accepted(handle, '/models/load', model, signal, /already (?:running|loaded|loading)/i);
    let waiting = true;
    let probes = 0;
    await until(signal, async () => {
      const state = await stateOf(handle, model);
      if (state === 'loaded') return true;
      probes += 1;
      if (state === 'loading') waiting = false;
      else if (!waiting || probes > PROBES_BEFORE_LOADING) throw exitedWhileLoading(model);
      return undefined;
    });
  } catch (error) {
    if (signal.aborted) await quietly(handle, model);
    throw error;
  }
}

const exitedWhileLoading = (model: string): OperationFailure =>
  new OperationFailure(
    'engine_error',
    `llama-server could not load ${model}: its process ended. Its log has the reason; often there is not enough memory.`,
  );

async function unload(handle: EngineHandle, model: string, { signal, report }: OperationContext): Promise<void> {
  report({ phase: 'unloading', completedBytes: null, totalBytes: null });
  const state = await stateOf(handle, model);
  if (state === 'installed' || state === 'failed') return;
  await accepted(handle, '/models/unload', model, signal, /not (?:running|loaded)/i);
  await until(signal, async () => {
    const now = await stateOf(handle, model);
    return now === 'loaded' || now === 'loading' ? undefined : true;
  });
}

async function remove(handle: EngineHandle, model: string, context: OperationContext): Promise<void> {
  await unload(handle, model, context);
  context.report({ phase: 'removing', completedBytes: null, totalBytes: null });
  try {
    const path = `/models?model=${encodeURIComponent(model)}`;
    await command(handle.http, { method: 'DELETE', path, signal: context.signal });
  } catch (error) {
    if (!(error instanceof OperationFailure) || !/not removable/i.test(error.message)) throw error;
    throw new OperationFailure(
      'unsupported',
      `llama-server removes only models that it downloaded itself: delete the file of ${model} by hand.`,
    );
  }
  await untilGone(handle, model, context.signal);
}
