/** A llama-server started with one model (`-m`), which is loaded or still loading. */
import { isJsonObject } from '../../../kernel/json-object.js';
import type { EngineManagement } from '../engine-management.js';
import { documentRoutes, extensionRoutes, type EngineModel } from '../engine.js';
import { command } from '../http/engine-command.js';
import type { EngineHttp } from '../http/engine-http.js';
import type { EngineHandle } from '../http/engine-adapter.js';
import { modelStates } from '../http/model-states.js';
import { probeIfPresent, probeOf, UnusableEngineError, type EngineSnapshot } from '../http/probe.js';
import { listedFacts } from '../http/model-list.js';
import { describeModel, readModels, shortText } from '../http/model-facts.js';
import { readModelName } from './model-name.js';
import { readProps, type ServerProps } from './props.js';

const { stateOf, untilState } = modelStates((model) => `llama-server does not serve ${model}.`);

const STILL_LOADING = 503;

export async function probeSingleModel(http: EngineHttp, list: Record<string, unknown>): Promise<EngineSnapshot> {
  // One after the other, because each connection takes one of the server's few HTTP threads.
  const health = await probeOf(http)('/health');
  const props = await probeIfPresent(http, '/props');
  const read = props === undefined ? undefined : readProps(props);
  const state = stateIn(health.status, read);
  const models = readModels(list['data'], 'id', (id, entry) => {
    const name = readModelName(id);
    const embedding = onlyEmbeds(list, id);
    return describeModel(id, {
      ...listedFacts(entry),
      ...read?.facts,
      state,
      dialects: ['chat', 'completions'],
      display_name: name.display,
      canonical_name: name.canonical,
      quantization: name.quantization,
      embedding,
      extension_routes: embedding ? documentRoutes : extensionRoutes,
    });
  });
  if (models === undefined) throw new UnusableEngineError('answers /v1/models without a list of models');
  return {
    version: shortText(props?.['build_info']),
    models,
    ...(read?.slots === undefined ? {} : { slots: read.slots }),
  };
}

function stateIn(health: number, props: ServerProps | undefined): EngineModel['state'] {
  if (health === STILL_LOADING) return 'loading';
  return props?.sleeping === true ? 'installed' : 'loaded';
}

/** Reads the second part of the list, in Ollama's format: only that reports capabilities. */
function onlyEmbeds({ models }: Record<string, unknown>, id: string): boolean {
  if (!Array.isArray(models)) return false;
  const capabilities: unknown = models.filter(isJsonObject).find(({ name }) => name === id)?.['capabilities'];
  return Array.isArray(capabilities) && capabilities.includes('embedding') && !capabilities.includes('completion');
}

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
