/** The models of a llama-server in router mode (started without `-m`): each its own process, there or not. */
import { isJsonObject } from '../../../kernel/json-object.js';
import { extensionRoutes, type EngineModel } from '../engine.js';
import type { EngineHttp } from '../http/engine-http.js';
import { probeIfPresent, UnusableEngineError, type EngineSnapshot } from '../http/probe.js';
import { listedFacts } from '../http/model-list.js';
import { describeModel, readModels } from '../http/model-facts.js';
import { readModelName } from './model-name.js';
import { readProps, type ServerProps } from './props.js';

/** More processes than one computer keeps in memory. */
const MAX_PROPS = 32;

interface RouterStatus {
  readonly value: string;
  readonly failed: boolean;
  /** Bytes of the running download. */
  readonly doneBytes: number | null;
  readonly totalBytes: number | null;
}

export function readStatus({ status }: Record<string, unknown>): RouterStatus | undefined {
  if (!isJsonObject(status) || typeof status['value'] !== 'string') return undefined;
  const files = isJsonObject(status['progress']) ? Object.values(status['progress']).filter(isJsonObject) : [];
  const sum = (member: string): number | null => {
    const counts = files.map((file) => file[member]).filter((count) => typeof count === 'number');
    return counts.length === 0 ? null : counts.reduce((total, count) => total + count, 0);
  };
  return {
    value: status['value'],
    failed: status['failed'] === true,
    doneBytes: sum('done'),
    totalBytes: sum('total'),
  };
}

export const isRouterList = ({ data }: Record<string, unknown>): boolean =>
  Array.isArray(data) && data.filter(isJsonObject).some((entry) => readStatus(entry) !== undefined);

/** Undefined for a model that is not there yet. */
function stateOf(status: RouterStatus): EngineModel['state'] | undefined {
  switch (status.value) {
    case 'loaded':
      return 'loaded';
    case 'loading':
      return 'loading';
    case 'downloading':
      return undefined;
    // Also `sleeping`: a request would wait until the weights are back in memory (docs/reference/engines.md#llama-server).
    default:
      return status.failed ? 'failed' : 'installed';
  }
}

/** Keeps the properties that a model reported while loaded, so that the list has them after an unload. */
export class RouterModels {
  private readonly known = new Map<string, ServerProps>();
  private running: ReadonlySet<string> = new Set();

  async snapshot(http: EngineHttp, list: Record<string, unknown>, version: string | null): Promise<EngineSnapshot> {
    const models = readModels(list['data'], 'id', (id, entry) => {
      const status = readStatus(entry);
      const state = status === undefined ? undefined : stateOf(status);
      if (state === undefined) return undefined;
      const name = readModelName(id);
      return describeModel(id, {
        ...listedFacts(entry),
        state,
        dialects: ['chat', 'completions'],
        extension_routes: extensionRoutes,
        display_name: name.display,
        canonical_name: name.canonical,
        quantization: name.quantization,
      });
    });
    if (models === undefined) throw new UnusableEngineError('answers /models without a list of models');
    await this.queryRunning(http, models);
    const slots = models.flatMap(({ engine_model: id, state }) =>
      state === 'loaded' ? (this.known.get(id)?.slots ?? []) : [],
    );
    return {
      version,
      models: models.map((model) => ({ ...model, ...this.known.get(model.engine_model)?.facts })),
      // The node counts slots per engine, so the smallest number counts: no model may get more requests than it has slots.
      ...(slots.length === 0 ? {} : { slots: Math.min(...slots) }),
    };
  }

  /** Reads the properties of newly loaded models; `autoload=false`, because one may have been unloaded since. */
  private async queryRunning(http: EngineHttp, models: readonly EngineModel[]): Promise<void> {
    const listed = new Set(models.map(({ engine_model: id }) => id));
    for (const id of this.known.keys()) if (!listed.has(id)) this.known.delete(id);
    const loaded = models.filter(({ state }) => state === 'loaded').map(({ engine_model: id }) => id);
    const started = loaded.filter((id) => !this.running.has(id)).slice(0, MAX_PROPS);
    const responded = await Promise.all(
      started.map(async (id) => {
        const props = await probeIfPresent(http, `/props?model=${encodeURIComponent(id)}&autoload=false`);
        if (props !== undefined) this.known.set(id, readProps(props));
        return props === undefined ? [] : [id];
      }),
    );
    this.running = new Set([...loaded.filter((id) => this.running.has(id)), ...responded.flat()]);
  }
}
