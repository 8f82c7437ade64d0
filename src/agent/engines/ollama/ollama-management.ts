/** Management operations of Ollama (docs/reference/engines.md#ollama). */
import type { ModelState } from '../../../kernel/dialect.js';
import type { EngineModel } from '../engine.js';
import { type EngineManagement, type OperationContext, OperationFailure } from '../engine-management.js';
import { command, sendCommand, until } from '../http/engine-command.js';
import type { EngineHttp } from '../http/engine-http.js';
import type { EngineHandle } from '../http/engine-adapter.js';
import type { InstallSources } from '../engine-kind.js';
import { isResident, type ModelNature, type ResidentModel } from './inventory.js';
import { isCloudModel, sameOllamaModel } from './model-name.js';
import { failedPull } from './operation-failures.js';
import { PullReader } from './pull-reader.js';

const CHECK_INTERVAL_MS = 100;
/** Checks that a loaded model appears in `/api/ps`: about ten seconds. */
const ARRIVAL_CHECKS = 100;
/** Checks that an unloaded model has left `/api/ps`, which is after its last request: about thirty seconds. */
const DEPARTURE_CHECKS = 300;
const sourcePattern = /^[\w.-]+(?:[/:@][\w.-]+)*$/;

export interface OllamaSettings {
  /** How long a loaded model stays in memory without requests, in Ollama's format: `"30m"`, seconds, or -1 for no limit. */
  readonly keepAlive: string | number;
  readonly installSources: InstallSources;
  /** OLLAMA_NUM_PARALLEL of an Ollama on this computer; null when it is not known. */
  readonly parallel: number | null;
}

/** State that the operations share with the adapter's probes. */
export interface OllamaMemory {
  /** Undefined while Ollama does not answer because it is loading a model. */
  residentNow(http: EngineHttp): Promise<readonly ResidentModel[] | undefined>;
  /** Overrides the reported state of the model; undefined removes the override. */
  mark(name: string, state: ModelState | undefined): void;
  /** Whether requests can set a context length; otherwise the next request would undo that of a load. */
  readonly setsContext: boolean;
  /** A load has just brought it into memory. */
  loaded(model: ResidentModel): void;
  /** From `/api/show`. */
  shown(digest: string): ModelNature | undefined;
}

export function ollamaManagement(
  { http, probeNow }: EngineHandle,
  memory: OllamaMemory,
  { keepAlive, installSources }: OllamaSettings,
): EngineManagement {
  const listed = async (engineModel: string): Promise<EngineModel> => {
    const model = (await probeNow()).find(({ engine_model: name }) => sameOllamaModel(name, engineModel));
    if (model !== undefined) return model;
    throw new OperationFailure('unknown_model', `Ollama has no model ${engineModel}. Install it first.`);
  };
  /** Undefined: Ollama does not answer now. */
  const inMemory = async ({ engine_model: name, digest }: EngineModel): Promise<ResidentModel | null | undefined> => {
    const resident = await memory.residentNow(http).catch((error: unknown) => {
      throw new OperationFailure('engine_unreachable', 'Ollama does not report which models it has in memory.', {
        cause: error,
      });
    });
    return resident && (isResident({ name, digest }, resident, (of) => memory.shown(of)) ?? null);
  };

  /**
   * Waits for `/api/ps` to confirm the command, because Ollama answers a command before it takes effect.
   * @param checks limit of responses; probes without a response do not count
   */
  const becomes = async (
    wanted: 'in memory' | 'gone',
    model: EngineModel,
    checks: number,
    signal: AbortSignal,
  ): Promise<boolean> => {
    let left = checks;
    const probe = async (): Promise<boolean | undefined> => {
      const found = await inMemory(model);
      if (found !== undefined && (found !== null) === (wanted === 'in memory')) return true;
      if (found !== undefined) left -= 1;
      return left > 0 ? undefined : false;
    };
    return until(signal, probe, CHECK_INTERVAL_MS);
  };

  const during = async (model: EngineModel, state: ModelState, work: () => Promise<void>): Promise<void> => {
    memory.mark(model.engine_model, state);
    // Not awaited: `/api/ps` does not answer during a load.
    void probeNow();
    try {
      await work();
    } finally {
      memory.mark(model.engine_model, undefined);
      await probeNow();
    }
  };

  const unload = async (model: EngineModel, { signal, report }: OperationContext): Promise<void> => {
    if ((await inMemory(model)) === null) return;
    await during(model, 'unloading', async () => {
      report({ phase: 'unloading', completedBytes: null, totalBytes: null });
      const json = { model: model.engine_model, keep_alive: 0, stream: false };
      await command(http, { method: 'POST', path: '/api/generate', json, signal });
      if (await becomes('gone', model, DEPARTURE_CHECKS, signal)) return;
      throw new OperationFailure(
        'model_busy',
        `${model.engine_model} is still serving requests. Ollama unloads it when they have completed.`,
      );
    });
  };

  return {
    load: async (engineModel, { contextTokens }, { signal, report }) => {
      const model = await listed(engineModel);
      if (contextTokens !== undefined && (model.embedding || !memory.setsContext)) throw contextIsOllamas();
      await during(model, 'loading', async () => {
        report({ phase: 'loading', completedBytes: null, totalBytes: null });
        const path = model.embedding ? '/api/embed' : '/api/generate';
        const json = {
          model: model.engine_model,
          keep_alive: keepAlive,
          stream: false,
          // Later requests send the same: Ollama restarts the runner for another value.
          ...(!model.embedding && memory.setsContext && { shift: false }),
          ...(contextTokens !== undefined && { options: { num_ctx: contextTokens } }),
        };
        await command(http, { method: 'POST', path, json, signal });
        if (!(await becomes('in memory', model, ARRIVAL_CHECKS, signal))) {
          throw new OperationFailure('engine_error', `Ollama loaded ${engineModel}, and does not have it in memory.`);
        }
        const found = await inMemory(model);
        if (found) memory.loaded(found);
        const loaded = found?.contextTokens ?? contextTokens;
        if (loaded === undefined || contextTokens === undefined || loaded >= contextTokens) return;
        const phase = `loaded with a context of ${loaded} tokens, not ${contextTokens}`;
        report({ phase, completedBytes: null, totalBytes: null });
      });
    },

    unload: async (engineModel, context) => {
      await unload(await listed(engineModel), context);
    },

    install: async (source, { signal, report }) => {
      checkSource(source, installSources);
      const json = { model: source, stream: true };
      const response = await sendCommand(http, { method: 'POST', path: '/api/pull', json, signal }).catch(
        (error: unknown) => {
          // A failure before the first progress line is an HTTP status.
          throw error instanceof OperationFailure && error.code === 'engine_error' ? failedPull(error.message) : error;
        },
      );
      const reader = new PullReader();
      try {
        await response.body.pipe({
          satisfied: false,
          take: (chunk) => {
            const progress = reader.feed(chunk);
            if (progress !== undefined) report(progress);
            return undefined;
          },
        });
        reader.end();
      } catch (error) {
        // Closing the connection cancels the pull in Ollama, which keeps the parts for the next try.
        response.body.destroy();
        if (signal.aborted) throw signal.reason;
        throw error instanceof OperationFailure ? error : interrupted(error);
      }
      const models = await probeNow();
      return models.find(({ engine_model: name }) => sameOllamaModel(name, source))?.engine_model ?? source;
    },

    remove: async (engineModel, context) => {
      const model = await listed(engineModel);
      // Otherwise Ollama keeps serving the deleted model from memory.
      await unload(model, context);
      await command(http, {
        method: 'DELETE',
        path: '/api/delete',
        json: { model: model.engine_model },
        signal: context.signal,
      });
      await probeNow();
    },
  };
}

/** Ollama follows any redirect of a registry, so only these registries are trusted to serve public files. */
const PUBLIC_REGISTRIES = new Set(['registry.ollama.ai', 'ollama.com', 'hf.co', 'huggingface.co']);

function checkSource(source: string, installSources: InstallSources): void {
  if (isCloudModel(source, {})) {
    throw new OperationFailure('invalid_source', `${source} runs in Ollama's cloud, not on this computer.`);
  }
  if (sourcePattern.test(source)) {
    const registry = registryOf(source);
    if (registry === undefined || installSources === 'private' || PUBLIC_REGISTRIES.has(registry)) return;
    throw new OperationFailure(
      'invalid_source',
      `Ollama installs from its own registry and from Hugging Face. The owner of the node may allow ${registry} with FERRY_NODE_INSTALL_SOURCES=private.`,
    );
  }
  throw new OperationFailure(
    'invalid_source',
    'Ollama installs from names like qwen3:8b, or hf.co/owner/repo:Q4_K_M for a GGUF file on Hugging Face.',
  );
}

/** Undefined: Ollama's own registry. As in Ollama, a first part with a dot or a port is a host, otherwise a namespace. */
function registryOf(source: string): string | undefined {
  const [first = '', ...rest] = source.toLowerCase().split('/');
  if (rest.length === 0) return undefined;
  return rest.length > 1 || /[.:@]/.test(first) ? first : undefined;
}

/**
 * Refused, because it would not last: older versions get requests on the OpenAI-compatible routes, which cannot set a context length, and
 * Ollama reloads a model when the context of a request differs from the loaded one.
 */
const contextIsOllamas = (): OperationFailure =>
  new OperationFailure(
    'unsupported',
    'A context length needs Ollama 0.12.6 or later, and a chat model. Otherwise set OLLAMA_CONTEXT_LENGTH for the Ollama server, ' +
      'or PARAMETER num_ctx in the Modelfile of the model, and load it without a context length.',
  );

const interrupted = (cause: unknown): OperationFailure =>
  new OperationFailure(
    'engine_unreachable',
    'The connection to Ollama was lost during the download. Try again: the partial download is kept.',
    { cause },
  );
