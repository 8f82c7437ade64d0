import { z } from 'zod';
import { isJsonObject, parseJson } from '../../../kernel/json-object.js';
import type { ModelState } from '../../../kernel/dialect.js';
import type { EngineKind } from '../engine-kind.js';
import type { EngineFailure, EngineModel, EngineRoute } from '../engine.js';
import { baseUrlField } from '../entry-fields.js';
import type { EngineHttp } from '../http/engine-http.js';
import { tooLong as asTooLong } from '../failures/context-refusal.js';
import { engineError } from '../failures/failures.js';
import { HttpEngine } from '../http/http-engine.js';
import type { AdaptedRequest, EngineAdapter, EngineHandle } from '../http/engine-adapter.js';
import { httpEngineOptions, httpEntryFields } from '../http/http-entry.js';
import { type EngineSnapshot, probeEngine, probeIfPresent, UnusableEngineError } from '../http/probe.js';
import { type LmStudioModel, readNativeList, readOldList } from './inventory.js';
import { lmStudioManagement, type LmStudioModels } from './lm-studio-management.js';
import { adaptToLmStudio } from './request-rules.js';

const DEFAULT_ADDRESS = 'http://127.0.0.1:1234';
const NATIVE_LIST = '/api/v1/models';
const OLD_LIST = '/api/v0/models';
const LIST_LIMIT_BYTES = 8 * 1024 * 1024;
/** Before a request; after it the last known list counts. */
const CHECK_TIMEOUT_MS = 500;
/** LM Studio's messages for a conversation that exceeds the context: a client error. */
const reportsTooLong =
  /context (?:length|size|window|overflow)|tokens to keep from the initial prompt|exceeds? .*context/i;
/** Messages for a listed model that is no longer loaded: not a client error. */
const notThere =
  /no models? (?:is |are )?loaded|model .*(?:not found|not loaded|unloaded|does not exist)|invalid model identifier/i;

/**
 * LM Studio over its native routes (docs/reference/engines.md#lm-studio): listed models are installed, those with an instance are loaded.
 * LM Studio would load any other model that a request names.
 */
class LmStudioAdapter implements EngineAdapter, LmStudioModels {
  readonly kind = 'lmstudio';
  readonly aliases = { max_completion_tokens: 'max_tokens' };
  private readonly transitions = new Map<string, ModelState>();
  private models: readonly LmStudioModel[] = [];
  private list = NATIVE_LIST;
  private http: EngineHttp | undefined;

  get manages(): boolean {
    return this.list === NATIVE_LIST;
  }

  readonly probe = async (http: EngineHttp): Promise<EngineSnapshot> => {
    const native = await probeIfPresent(http, NATIVE_LIST);
    const models =
      native === undefined ? this.read(OLD_LIST, await probeEngine(http, OLD_LIST)) : this.read(NATIVE_LIST, native);
    if (models === undefined) throw new UnusableEngineError('answers without a list of models');
    this.models = models;
    const slots = slotsOf(models);
    return {
      version: null,
      models: models.map(({ model }) => model),
      ...(slots === undefined ? {} : { slots }),
    };
  };

  readonly adapt = (body: Buffer, route: EngineRoute, model: EngineModel | undefined): AdaptedRequest =>
    adaptToLmStudio(body, route, (model && this.find(model.engine_model)?.format) ?? null);

  /**
   * The name of a loaded instance, so that LM Studio does not load another one
   * (docs/reference/inventory.md#loaded-means-resident).
   */
  readonly admit = async (engineModel: string): Promise<string> => {
    const [instance] = (await this.current()).find(({ model }) => model.engine_model === engineModel)?.instances ?? [];
    if (instance !== undefined) return instance.id;
    throw engineError(`LM Studio does not have the model ${engineModel} in memory any more.`);
  };

  readonly explain = (failure: EngineFailure): EngineFailure => {
    const { code, message } = failure.failure;
    if (notThere.test(message)) return engineError(message, failure);
    if (code !== 'engine_error' || !reportsTooLong.test(message)) return failure;
    return asTooLong(message, { prompt_tokens: null, max_tokens: null, context_tokens: null }, { cause: failure });
  };

  readonly management = (handle: EngineHandle) => {
    this.http = handle.http;
    return lmStudioManagement(handle, this);
  };

  find(key: string): LmStudioModel | undefined {
    return this.models.find(({ model }) => model.engine_model === key);
  }

  keys(): readonly string[] {
    return this.models.map(({ model }) => model.engine_model);
  }

  mark(key: string, state: ModelState | undefined): void {
    if (state === undefined) this.transitions.delete(key);
    else this.transitions.set(key, state);
  }

  private read(list: string, response: Record<string, unknown>): LmStudioModel[] | undefined {
    const transition = (key: string): ModelState | undefined => this.transitions.get(key);
    const models = list === NATIVE_LIST ? readNativeList(response, transition) : readOldList(response, transition);
    if (models !== undefined) this.list = list;
    return models;
  }

  /** @throws EngineFailure when LM Studio cannot be asked */
  private async current(): Promise<readonly LmStudioModel[]> {
    const { http } = this;
    if (http === undefined) return this.models;
    try {
      const { text } = await http.get(this.list, CHECK_TIMEOUT_MS, LIST_LIMIT_BYTES);
      const response = parseJson(text);
      return (isJsonObject(response) ? this.read(this.list, response) : undefined) ?? [];
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') return this.models;
      throw engineError('LM Studio does not report which models it has in memory.', error);
    }
  }
}

/** The largest number of parallel requests of a loaded model; further requests queue inside LM Studio. */
function slotsOf(models: readonly LmStudioModel[]): number | undefined {
  const reported = models.flatMap(({ instances }) => instances.flatMap(({ parallel }) => parallel ?? []));
  return reported.length === 0 ? undefined : Math.max(...reported);
}

const schema = z.strictObject({
  kind: z.literal('lmstudio'),
  ...httpEntryFields,
  base_url: baseUrlField.default(new URL(DEFAULT_ADDRESS)),
});

export const lmStudioKind: EngineKind<z.output<typeof schema>> = {
  kind: 'lmstudio',
  schema,
  create: (entry, context) => new HttpEngine(httpEngineOptions(entry, context, 'lmstudio'), new LmStudioAdapter()),
};
