import { isJsonObject } from '../../../kernel/json-object.js';
import type { EngineModel } from '../engine.js';
import { OperationFailure, type EngineManagement } from '../engine-management.js';
import { command, sendCommand } from '../http/engine-command.js';
import type { EngineHttp } from '../http/engine-http.js';
import { engineError } from '../failures/failures.js';
import type { EngineAdapter, EngineHandle } from '../http/engine-adapter.js';
import { httpEngineKind } from '../http/http-entry.js';
import { describeModel, readModels, shortText } from '../http/model-facts.js';
import { listedFacts, untriedExtensions } from '../http/model-list.js';
import { modelStates } from '../http/model-states.js';
import { probeEngine, probeIfPresent, UnusableEngineError, type EngineSnapshot } from '../http/probe.js';

const LIST_PATH = '/v1/models';
const RUNNING_PATH = '/running';

const { stateOf, untilState } = modelStates((model) => `llama-swap has no model ${model} in its configuration.`);

/**
 * llama-swap starts the server of a model when a request names it, and stops others to make room. What it has started is in `/running`
 * (docs/reference/engines.md#llama-swap).
 */
class LlamaSwapAdapter implements EngineAdapter {
  readonly kind = 'llama-swap';
  private http: EngineHttp | undefined;

  readonly probe = async (http: EngineHttp): Promise<EngineSnapshot> => {
    this.http = http;
    const [list, running, about] = await Promise.all([
      probeEngine(http, LIST_PATH),
      probeEngine(http, RUNNING_PATH),
      probeIfPresent(http, '/api/version'),
    ]);
    const states = statesIn(running);
    const models = readModels(list['data'], 'id', (id, entry) => {
      const about = aboutModel(entry);
      // Another llama-swap has the model, and only that one knows whether it is in memory.
      if (about['peerID'] !== undefined) return undefined;
      return describeModel(id, {
        ...listedFacts(entry),
        ...untriedExtensions(),
        display_name: id,
        state: states.get(id) ?? 'installed',
        dialects: ['chat', 'completions'],
      });
    });
    if (models === undefined) throw new UnusableEngineError(`answers ${LIST_PATH} without a list of models`);
    return { version: shortText(about?.['version']), models };
  };

  /** llama-swap would start a server that has been stopped since the last probe, and stop others for it. */
  readonly admit = async (model: string): Promise<string> => {
    const running =
      this.http === undefined ? undefined : await probeIfPresent(this.http, RUNNING_PATH).catch(() => undefined);
    if (running !== undefined && statesIn(running).get(model) === 'loaded') return model;
    throw engineError('The model is no longer in memory.');
  };

  readonly management = (handle: EngineHandle): EngineManagement => ({
    load: async (model, { contextTokens }, { signal, report }) => {
      if (contextTokens !== undefined) {
        throw new OperationFailure('unsupported', 'llama-swap takes the context length from the command of the model.');
      }
      if ((await stateOf(handle, model)) === 'loaded') return;
      report({ phase: 'loading', completedBytes: null, totalBytes: null });
      await start(handle, model, signal);
      await untilState(handle, model, 'loaded', signal);
    },
    unload: async (model, { signal, report }) => {
      if ((await stateOf(handle, model)) === 'installed') return;
      report({ phase: 'unloading', completedBytes: null, totalBytes: null });
      await command(handle.http, { method: 'POST', path: `/api/models/unload/${pathOf(model)}`, signal });
      await untilState(handle, model, 'installed', signal);
    },
  });
}

export const llamaSwapKind = httpEngineKind('llama-swap', () => new LlamaSwapAdapter());

/** Names may have slashes, which stay. */
const pathOf = (model: string): string => model.split('/').map(encodeURIComponent).join('/');

/** Any GET that is passed on to the model's server starts it. What that server answers to it means nothing. */
async function start({ http }: EngineHandle, model: string, signal: AbortSignal): Promise<void> {
  try {
    const { body } = await sendCommand(http, { method: 'GET', path: `/upstream/${pathOf(model)}/health`, signal });
    body.destroy();
  } catch (error) {
    if (error instanceof OperationFailure && error.code !== 'engine_unreachable' && (await isRunning(http, model)))
      return;
    throw error;
  }
}

const isRunning = async (http: EngineHttp, model: string): Promise<boolean> =>
  statesIn((await probeIfPresent(http, RUNNING_PATH).catch(() => undefined)) ?? {}).has(model);

/** Models without a server are not listed. */
function statesIn({ running }: Record<string, unknown>): ReadonlyMap<string, EngineModel['state']> {
  const states = new Map<string, EngineModel['state']>();
  if (!Array.isArray(running)) return states;
  for (const { model, state } of running.filter(isJsonObject)) {
    const known = stateNamed(state);
    if (typeof model === 'string' && known !== undefined) states.set(model, known);
  }
  return states;
}

function stateNamed(state: unknown): EngineModel['state'] | undefined {
  switch (state) {
    case 'ready':
      return 'loaded';
    case 'starting':
      return 'loading';
    case 'stopping':
      return 'unloading';
    default:
      return undefined;
  }
}

function aboutModel({ meta }: Record<string, unknown>): Record<string, unknown> {
  const own = isJsonObject(meta) ? meta['llamaswap'] : undefined;
  return isJsonObject(own) ? own : {};
}
