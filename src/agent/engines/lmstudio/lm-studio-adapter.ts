import { isJsonObject, parseJson } from '../../../kernel/json-object.js';
import type { ModelState } from '../../../kernel/dialect.js';
import type { EngineFailure, EngineModel, EngineRoute } from '../engine.js';
import type { EngineHttp } from '../http/engine-http.js';
import { tooLong as asTooLong } from '../http/context-refusal.js';
import { engineError } from '../http/failures.js';
import type { AdaptedRequest, EngineAdapter, EngineHandle } from '../http/http-engine.js';
import { type EngineSnapshot, probeEngine, probeIfPresent, UnusableEngineError } from '../http/probe.js';
import { type LmStudioModel, readNativeList, readOldList } from './inventory.js';
import { lmStudioManagement, type LmStudioModels } from './lm-studio-management.js';
import { adaptToLmStudio } from './request-rules.js';

const NATIVE_LIST = '/api/v1/models';
const OLD_LIST = '/api/v0/models';
const LIST_LIMIT_BYTES = 8 * 1024 * 1024;
/** Before a request: what is not known by then is as it was at the last look. */
const CHECK_TIMEOUT_MS = 500;
/** What LM Studio calls a conversation that does not fit: the client's to mend. */
const saysTooLong =
  /context (?:length|size|window|overflow)|tokens to keep from the initial prompt|exceeds? .*context/i;
/** A model that is listed and cannot be asked has gone, whatever LM Studio makes of it. */
const notThere =
  /no models? (?:is |are )?loaded|model .*(?:not found|not loaded|unloaded|does not exist)|invalid model identifier/i;

/**
 * LM Studio by its own routes (docs/reference/engines.md#lm-studio): a listed model is installed, and loaded is what has an instance. It
 * would load whatever else a request names.
 */
export class LmStudioAdapter implements EngineAdapter, LmStudioModels {
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
   * The name of an instance, which LM Studio cannot take for a wish to load another one
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
    if (code !== 'engine_error' || !saysTooLong.test(message)) return failure;
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

  private read(list: string, answer: Record<string, unknown>): LmStudioModel[] | undefined {
    const transition = (key: string): ModelState | undefined => this.transitions.get(key);
    const models = list === NATIVE_LIST ? readNativeList(answer, transition) : readOldList(answer, transition);
    if (models !== undefined) this.list = list;
    return models;
  }

  /** @throws EngineFailure when LM Studio cannot be asked */
  private async current(): Promise<readonly LmStudioModel[]> {
    const { http } = this;
    if (http === undefined) return this.models;
    try {
      const { text } = await http.get(this.list, CHECK_TIMEOUT_MS, LIST_LIMIT_BYTES);
      const answer = parseJson(text);
      return (isJsonObject(answer) ? this.read(this.list, answer) : undefined) ?? [];
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') return this.models;
      throw engineError('LM Studio does not tell which models it has in memory.', error);
    }
  }
}

/** The most that any model in memory runs at once: further requests wait inside LM Studio. */
function slotsOf(models: readonly LmStudioModel[]): number | undefined {
  const told = models.flatMap(({ instances }) => instances.flatMap(({ parallel }) => parallel ?? []));
  return told.length === 0 ? undefined : Math.max(...told);
}
