/** What the owner may have Ollama do with its models (docs/reference/engines.md#ollama). */
import type { ModelState } from '../../../kernel/dialect.js';
import type { EngineModel } from '../engine.js';
import { type EngineManagement, type OperationContext, OperationFailure } from '../engine-management.js';
import { command, sendCommand, until } from '../http/engine-command.js';
import type { EngineHttp } from '../http/engine-http.js';
import type { EngineHandle } from '../http/http-engine.js';
import type { InstallSources } from '../engine-kind.js';
import { isResident, type ResidentModel } from './inventory.js';
import { isCloudModel, sameOllamaModel } from './model-name.js';
import { failedPull } from './operation-failures.js';
import { PullReader } from './pull-reader.js';

const CHECK_INTERVAL_MS = 100;
/** After Ollama has said that a model is loaded: about ten seconds. */
const ARRIVAL_CHECKS = 100;
/** Ollama lets go of a model when the last request to it is over: about thirty seconds. */
const DEPARTURE_CHECKS = 300;
const sourcePattern = /^[\w.-]+(?:[/:@][\w.-]+)*$/;

export interface OllamaSettings {
  /** How long a model that the owner loads stays in memory without requests, in Ollama's own form: `"30m"`, seconds, or -1 for ever. */
  readonly keepAlive: string | number;
  readonly installSources: InstallSources;
}

/** What the operations share with the looks at the engine. */
export interface OllamaMemory {
  /** Undefined while Ollama does not say, because it loads some model. */
  residentNow(http: EngineHttp): Promise<readonly ResidentModel[] | undefined>;
  /** Shows the model in this state until it is unmarked. */
  mark(name: string, state: ModelState | undefined): void;
  /** Whether requests can name a context length, so that the one of a load lasts. */
  readonly setsContext: boolean;
}

export function ollamaManagement(
  { http, probeNow }: EngineHandle,
  memory: OllamaMemory,
  { keepAlive, installSources }: OllamaSettings,
): EngineManagement {
  const listed = async (engineModel: string): Promise<EngineModel> => {
    const model = (await probeNow()).find(({ engine_model: name }) => name === engineModel);
    if (model !== undefined) return model;
    throw new OperationFailure('unknown_model', `Ollama has no model ${engineModel}. Install it first.`);
  };
  const isInMemory = async ({ engine_model: name, digest }: EngineModel): Promise<boolean | undefined> => {
    const resident = await memory.residentNow(http).catch((error: unknown) => {
      throw new OperationFailure('engine_unreachable', 'Ollama does not tell which models it has in memory.', {
        cause: error,
      });
    });
    return resident && isResident({ name, digest }, resident) !== undefined;
  };

  /**
   * What `/api/ps` says is what counts, and the answer of a command comes before that.
   * @param checks how many answers are waited for; silence is none
   */
  const becomes = async (
    wanted: 'in memory' | 'gone',
    model: EngineModel,
    checks: number,
    signal: AbortSignal,
  ): Promise<boolean> => {
    let left = checks;
    const probe = async (): Promise<boolean | undefined> => {
      const is = await isInMemory(model);
      if (is === (wanted === 'in memory')) return true;
      if (is !== undefined) left -= 1;
      return left > 0 ? undefined : false;
    };
    return until(signal, probe, CHECK_INTERVAL_MS);
  };

  const during = async (model: EngineModel, state: ModelState, work: () => Promise<void>): Promise<void> => {
    memory.mark(model.engine_model, state);
    // Not awaited: while it loads, Ollama does not tell what is in memory.
    void probeNow();
    try {
      await work();
    } finally {
      memory.mark(model.engine_model, undefined);
      await probeNow();
    }
  };

  const unload = async (model: EngineModel, { signal, report }: OperationContext): Promise<void> => {
    if ((await isInMemory(model)) === false) return;
    await during(model, 'unloading', async () => {
      report({ phase: 'unloading', completedBytes: null, totalBytes: null });
      const json = { model: model.engine_model, keep_alive: 0, stream: false };
      await command(http, { method: 'POST', path: '/api/generate', json, signal });
      if (await becomes('gone', model, DEPARTURE_CHECKS, signal)) return;
      throw new OperationFailure(
        'model_busy',
        `${model.engine_model} is still answering requests. Ollama unloads it when they are over.`,
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
        const options = contextTokens === undefined ? {} : { options: { num_ctx: contextTokens } };
        const json = { model: engineModel, keep_alive: keepAlive, stream: false, ...options };
        await command(http, { method: 'POST', path, json, signal });
        if (await becomes('in memory', model, ARRIVAL_CHECKS, signal)) return;
        throw new OperationFailure('engine_error', `Ollama loaded ${engineModel}, and does not have it in memory.`);
      });
    },

    unload: async (engineModel, context) => {
      await unload(await listed(engineModel), context);
    },

    install: async (source, { signal, report }) => {
      checkSource(source, installSources);
      const json = { model: source, stream: true };
      const reply = await sendCommand(http, { method: 'POST', path: '/api/pull', json, signal }).catch(
        (error: unknown) => {
          // What goes wrong before the first line of the report comes with a status.
          throw error instanceof OperationFailure && error.code === 'engine_error' ? failedPull(error.message) : error;
        },
      );
      const reader = new PullReader();
      try {
        await reply.body.pipe({
          satisfied: false,
          take: (piece) => {
            const progress = reader.feed(piece);
            if (progress !== undefined) report(progress);
            return undefined;
          },
        });
        reader.end();
      } catch (error) {
        // Closing the connection is how Ollama learns of it; what has come is kept for the next try.
        reply.body.destroy();
        if (signal.aborted) throw signal.reason;
        throw error instanceof OperationFailure ? error : interrupted(error);
      }
      const models = await probeNow();
      return models.find(({ engine_model: name }) => sameOllamaModel(name, source))?.engine_model ?? source;
    },

    remove: async (engineModel, context) => {
      const model = await listed(engineModel);
      // Ollama would go on serving it from memory, under a name that is gone.
      await unload(model, context);
      await command(http, {
        method: 'DELETE',
        path: '/api/delete',
        json: { model: engineModel },
        signal: context.signal,
      });
      await probeNow();
    },
  };
}

/** Ollama pulls by itself, over whatever redirect a registry answers with: only these are taken to be what they say. */
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

/** Undefined: Ollama's own. Of `namespace/model` a part with a dot or a port cannot be the namespace, so it is taken for a computer. */
function registryOf(source: string): string | undefined {
  const [first = '', ...rest] = source.toLowerCase().split('/');
  if (rest.length === 0) return undefined;
  return rest.length > 1 || /[.:@]/.test(first) ? first : undefined;
}

/**
 * Not done, because it would not last: requests on the OpenAI-compatible routes, which are all that older versions are asked on, cannot name
 * a context length, and Ollama loads a model again when a request's differs from the one in memory.
 */
const contextIsOllamas = (): OperationFailure =>
  new OperationFailure(
    'unsupported',
    'A context length needs Ollama 0.12.6 or later, and a model that chats. Otherwise set OLLAMA_CONTEXT_LENGTH for the Ollama server, ' +
      'or PARAMETER num_ctx in the Modelfile of the model, and load it without a context length.',
  );

const interrupted = (cause: unknown): OperationFailure =>
  new OperationFailure(
    'engine_unreachable',
    'The connection to Ollama was lost during the download. Try again: what was downloaded is kept.',
    { cause },
  );
