/**
 * Management operations of LM Studio from version 0.4 (docs/reference/engines.md#lm-studio). It has no route to delete a model.
 */
import type { ModelState } from '../../../kernel/dialect.js';
import type { EngineModel } from '../engine.js';
import { type EngineManagement, type OperationContext, OperationFailure } from '../engine-management.js';
import { command, until } from '../http/engine-command.js';
import type { EngineHandle } from '../http/engine-adapter.js';
import { download } from './download-job.js';
import type { LmStudioModel } from './inventory.js';

/** How long the list may contradict a command that LM Studio has confirmed. */
const AGREEMENT_LIMIT_MS = 10_000;
const CHECK_INTERVAL_MS = 200;

/** State that the operations share with the adapter's probes. */
export interface LmStudioModels {
  /** Reads the result of the last probe. */
  find(key: string): LmStudioModel | undefined;
  keys(): readonly string[];
  /** False before version 0.4, which has only a list. */
  readonly manages: boolean;
  /** Overrides the reported state of the model; undefined removes the override. */
  mark(key: string, state: ModelState | undefined): void;
}

export function lmStudioManagement({ http, probeNow }: EngineHandle, known: LmStudioModels): EngineManagement {
  const manageable = async (): Promise<readonly EngineModel[]> => {
    const models = await probeNow();
    if (known.manages || models.length === 0) return models;
    throw new OperationFailure(
      'unsupported',
      'This LM Studio is older than 0.4 and cannot be managed over the network. Update it, or use its own window or `lms load`.',
    );
  };
  const listed = async (key: string): Promise<LmStudioModel> => {
    await manageable();
    const model = known.find(key);
    if (model !== undefined) return model;
    throw new OperationFailure('unknown_model', `LM Studio has no model ${key}. Install it first.`);
  };

  const during = async (key: string, state: ModelState, work: () => Promise<void>): Promise<void> => {
    known.mark(key, state);
    try {
      await probeNow();
      await work();
    } finally {
      known.mark(key, undefined);
      await probeNow();
    }
  };

  /** Waits for the list to confirm a command. */
  const agreed = async (signal: AbortSignal, is: () => boolean): Promise<boolean> => {
    const deadline = performance.now() + AGREEMENT_LIMIT_MS;
    const probe = async (): Promise<boolean | undefined> => {
      await probeNow();
      if (is()) return true;
      return performance.now() > deadline ? false : undefined;
    };
    return until(signal, probe, CHECK_INTERVAL_MS);
  };
  const inMemory = (key: string): boolean => (known.find(key)?.instances.length ?? 0) > 0;

  const unloadAll = async ({ model: { engine_model: key }, instances }: LmStudioModel, signal: AbortSignal) => {
    for (const { id } of instances) {
      await command(http, {
        method: 'POST',
        path: '/api/v1/models/unload',
        json: { instance_id: id },
        signal,
      }).catch((error: unknown) => {
        // It may have been unloaded meanwhile; the list decides.
        if (!(error instanceof OperationFailure) || error.code !== 'unknown_model') throw error;
      });
    }
    if (await agreed(signal, () => !inMemory(key))) return;
    throw new OperationFailure('engine_error', `LM Studio confirmed the unload of ${key}, but still has it in memory.`);
  };

  const load = async (model: LmStudioModel, contextTokens: number | undefined, context: OperationContext) => {
    const { engine_model: key } = model.model;
    const { signal, report } = context;
    report({ phase: 'loading', completedBytes: null, totalBytes: null });
    // Every load creates another instance, also of a loaded model.
    if (model.instances.some((instance) => contextTokens === undefined || instance.contextTokens === contextTokens))
      return;
    await during(key, 'loading', async () => {
      await unloadAll(model, signal);
      const json = { model: key, ...(contextTokens === undefined ? {} : { context_length: contextTokens }) };
      await command(http, { method: 'POST', path: '/api/v1/models/load', json, signal });
      if (await agreed(signal, () => inMemory(key))) return;
      throw new OperationFailure(
        'engine_error',
        `LM Studio confirmed the load of ${key}, but does not have it in memory.`,
      );
    });
  };

  const install = async (source: string, context: OperationContext): Promise<string> => {
    const before = new Set((await manageable()).map(({ engine_model: key }) => key));
    await download(http, source, context);
    let found: string | undefined;
    await agreed(context.signal, () => {
      const models = known.keys();
      found = installedKey(source, models) ?? models.find((key) => !before.has(key));
      return found !== undefined;
    });
    return found ?? source;
  };

  return {
    load: async (key, { contextTokens }, context) => load(await listed(key), contextTokens, context),
    unload: async (key, { signal, report }) => {
      const model = await listed(key);
      if (model.instances.length === 0) return;
      report({ phase: 'unloading', completedBytes: null, totalBytes: null });
      await during(key, 'unloading', () => unloadAll(model, signal));
    },
    install,
  };
}

/** The key of the downloaded model; for a link, LM Studio chooses the key. */
const installedKey = (source: string, keys: readonly string[]): string | undefined => {
  const name = source
    .replace(/^https:\/\/huggingface\.co\//, '')
    .replace(/@[\w.-]+$/, '')
    .toLowerCase();
  return keys.find((key) => key.toLowerCase() === name);
};
