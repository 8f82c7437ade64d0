import { documentRoutes, type DocumentRoute, type EngineModel } from '../engine.js';
import { OperationFailure, type EngineManagement } from '../engine-management.js';
import { command } from '../http/engine-command.js';
import type { EngineHttp } from '../http/engine-http.js';
import { countsExactly, countTokens } from './count-tokens.js';
import { adaptToVllm, limitedTo } from './request-rules.js';
import { ServedRoutes } from './served-routes.js';
import { EngineLoadReader } from '../http/engine-load.js';
import type { EngineAdapter, EngineHandle } from '../http/engine-adapter.js';
import { httpEngineKind } from '../http/http-entry.js';
import { probeEngine, probeIfPresent, UnusableEngineError, type EngineSnapshot } from '../http/probe.js';
import { canonicalName, describeModel, readModels, shortText } from '../http/model-facts.js';
import { listedFacts, untriedInputs } from '../http/model-list.js';
import { modelStates } from '../http/model-states.js';

const { stateOf, untilState } = modelStates((model) => `vLLM does not serve ${model}.`);

/** Continuous batching without a reported limit: enough to keep a GPU busy. `slots` in the configuration wins. */
const BATCH_SLOTS = 32;

/**
 * vLLM: one base model per server, under one or several names, with LoRA adapters. Listed models are resident unless the server sleeps,
 * which only servers in development mode can (docs/reference/engines.md#vllm). It does not report inputs or tools.
 */
class VllmAdapter implements EngineAdapter {
  readonly kind = 'vllm';
  readonly adapt = adaptToVllm;
  readonly extensionRoutes = { count: countTokens };
  readonly limitedTo = limitedTo;
  private readonly load = new EngineLoadReader({
    running: 'vllm:num_requests_running',
    waiting: 'vllm:num_requests_waiting',
  });
  private readonly routes = new ServedRoutes();

  readonly probe = async (http: EngineHttp): Promise<EngineSnapshot> => {
    try {
      return await this.read(http);
    } catch (error) {
      this.routes.forget();
      throw error;
    }
  };

  private async read(http: EngineHttp): Promise<EngineSnapshot> {
    const [list, about, sleep, load, withoutText] = await Promise.all([
      probeEngine(http, '/v1/models'),
      probeIfPresent(http, '/version'),
      probeIfPresent(http, '/is_sleeping'),
      this.load.read(http),
      this.routes.withoutText(http),
    ]);
    const models = servedModels(list, sleep?.['is_sleeping'] === true ? 'installed' : 'loaded', withoutText);
    if (models === undefined) throw new UnusableEngineError('answers /v1/models without a list of models');
    return { version: shortText(about?.['version']), models, slots: BATCH_SLOTS, load };
  }

  readonly management = (handle: EngineHandle): EngineManagement => ({
    load: async (model, { contextTokens }, { signal, report }) => {
      if (contextTokens !== undefined) throw unsupported('takes the context length from --max-model-len');
      if ((await stateOf(handle, model)) === 'loaded') return;
      report({ phase: 'waking up', completedBytes: null, totalBytes: null });
      await sleepRoute(handle, '/wake_up', signal);
      await untilState(handle, model, 'loaded', signal);
    },
    unload: async (model, { signal, report }) => {
      if ((await stateOf(handle, model)) === 'installed') return;
      report({ phase: 'putting to sleep', completedBytes: null, totalBytes: null });
      // Level 1 frees the GPU and keeps the weights in main memory, so that waking up takes seconds.
      // It waits for running requests, which it would otherwise abort.
      await sleepRoute(handle, '/sleep?level=1&mode=wait', signal);
      await untilState(handle, model, 'installed', signal);
    },
  });
}

export const vllmKind = httpEngineKind('vllm', () => new VllmAdapter());

/**
 * The first of several names for the same weights gets the repository (`root`) as its identity; the other names and LoRA adapters get their
 * own name.
 * @param withoutText the routes of a server that does not generate text
 */
function servedModels(
  list: Record<string, unknown>,
  state: EngineModel['state'],
  withoutText: readonly DocumentRoute[] | undefined,
): EngineModel[] | undefined {
  const roots = new Set<string>();
  return readModels(list['data'], 'id', (id, entry) => {
    const { root, parent } = entry;
    const first = typeof root === 'string' && root !== '' && typeof parent !== 'string' && !roots.has(root);
    if (first) roots.add(root);
    return describeModel(id, {
      ...listedFacts(entry),
      ...untriedInputs(entry),
      state,
      ...(withoutText === undefined
        ? {
            dialects: ['chat', 'completions'],
            extension_routes: countsExactly(id, root) ? ['count', ...documentRoutes] : documentRoutes,
          }
        : { dialects: [], extension_routes: withoutText, embedding: true }),
      canonical_name: canonicalName(first ? root : id),
    });
  });
}

async function sleepRoute({ http }: EngineHandle, path: string, signal: AbortSignal): Promise<void> {
  if ((await probeIfPresent(http, '/is_sleeping').catch(() => undefined)) === undefined) {
    throw unsupported(
      'serves only the model that it was started with (it can sleep with --enable-sleep-mode and VLLM_SERVER_DEV_MODE=1)',
    );
  }
  await command(http, { method: 'POST', path, signal });
}

const unsupported = (how: string): OperationFailure => new OperationFailure('unsupported', `vLLM ${how}.`);
