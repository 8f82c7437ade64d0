import { setTimeout as delay } from 'node:timers/promises';
import { isJsonObject, parseJson } from '../../../kernel/json-object.js';
import type { ModelState } from '../../../kernel/dialect.js';
import { engineError } from '../failures/failures.js';
import type { EngineHttp } from '../http/engine-http.js';
import { EngineFailure, type DocumentRoute, type EngineModel, type EngineRoute } from '../engine.js';
import type {
  AdaptedRequest,
  EngineAdapter,
  EngineHandle,
  NativeDocument,
  NativeRequest,
} from '../http/engine-adapter.js';
import { type EngineSnapshot, probeEngine, probeIfPresent, UnusableEngineError } from '../http/probe.js';
import { parseEngineError } from '../failures/error-parser.js';
import {
  describeOllamaModels,
  isResident,
  listedModels,
  readResidentModels,
  type ModelNature,
  type ResidentModel,
} from './inventory.js';
import { ExitedRunners, reportsRunnerExit } from './exited-runners.js';
import { ModelCapabilitiesCache } from './model-capabilities.js';
import { nativeEmbedding } from './native-embedding.js';
import { nativeRequest } from './native-request.js';
import { ollamaManagement, type OllamaMemory, type OllamaSettings } from './ollama-management.js';
import { adaptToOllama } from './request-rules.js';
import { ParallelRuns } from './parallel-runs.js';
import { RunnerOrigin } from './runner-origin.js';
import { comparesShift, refusesLongPrompts } from './version.js';

const RESIDENT_PATH = '/api/ps';
const RESIDENT_LIMIT_BYTES = 1024 * 1024;
/** `/api/ps` answers at once, but during a load only after it, which may take minutes. */
const RESIDENT_TIMEOUT_MS = 1_500;
/** Before a request; after it the last known list counts. */
const RESIDENT_CHECK_TIMEOUT_MS = 500;
/** A runner that Ollama restarts is not in `/api/ps` for a moment: a model counts as gone after a second look. */
const RESTART_MS = 400;
/** Ollama runs one request of a model at a time unless OLLAMA_NUM_PARALLEL says otherwise. */
const DEFAULT_SLOTS = 1;
/** Option errors are the client's, but answered with 500. */
const refusedOption = /^option "(?<name>\w+)" must be of type/;

/** Ollama over its native routes (docs/reference/engines.md#ollama): listed models are installed, those in `/api/ps` are loaded. */
export class OllamaAdapter implements EngineAdapter, OllamaMemory {
  readonly kind = 'ollama';
  readonly aliases = { max_completion_tokens: 'max_tokens' };
  readonly cutsPrompts = true;
  /** Models run in processes of their own. */
  readonly respondsWhileBusy = true;
  readonly runs: ParallelRuns | undefined;
  private readonly capabilities = new ModelCapabilitiesCache();
  private readonly transitions = new Map<string, ModelState>();
  private resident: readonly ResidentModel[] = [];
  private models: readonly EngineModel[] = [];
  private http: EngineHttp | undefined;
  private version: string | null = null;
  private readonly origin: RunnerOrigin;
  private readonly dead = new ExitedRunners();

  constructor(private readonly settings: OllamaSettings) {
    this.origin = new RunnerOrigin(settings.keepAlive);
    this.runs = settings.parallel === null ? new ParallelRuns() : undefined;
  }

  readonly probe = async (http: EngineHttp): Promise<EngineSnapshot> => {
    const [version, list, resident] = await Promise.all([
      probeIfPresent(http, '/api/version'),
      probeEngine(http, '/api/tags'),
      this.confirmedResident(http),
    ]).catch((error: unknown) => {
      // The next response may come from a restarted process, with nothing in memory.
      if ((error as Error).name !== 'TimeoutError') {
        this.see([]);
        this.runs?.forget();
      }
      throw error;
    });
    if (resident !== undefined) this.see(resident);
    // Ollama without models may answer null.
    const tags = 'models' in list ? (list['models'] ?? []) : undefined;
    await this.capabilities.learn(http, listedModels(tags));
    const models = describeOllamaModels({
      tags,
      resident: this.resident,
      shown: (digest) => this.shown(digest),
      transition: (name) => this.transitions.get(name),
    });
    if (models === undefined) throw new UnusableEngineError('answers /api/tags without a list of models');
    this.models = models;
    const reported = version?.['version'];
    this.version = typeof reported === 'string' ? reported.slice(0, 100) : null;
    return { version: this.version, models, slots: this.settings.parallel ?? DEFAULT_SLOTS };
  };

  readonly management = (handle: EngineHandle) => {
    this.http = handle.http;
    return ollamaManagement(handle, this, this.settings);
  };

  readonly adapt = adaptToOllama;

  /**
   * Ollama would reload a model evicted since the last probe, and an inference request must never cause a load
   * (docs/reference/inventory.md#loaded-means-resident).
   */
  readonly admit = async (engineModel: string): Promise<string> => {
    const { http } = this;
    if (http === undefined) return engineModel;
    try {
      this.see((await this.confirmedResident(http, RESIDENT_CHECK_TIMEOUT_MS)) ?? this.resident);
    } catch (error) {
      throw engineError('Ollama does not report which models it has in memory.', error);
    }
    if (this.residentModel(engineModel) !== undefined) return engineModel;
    throw engineError(`Ollama does not have the model ${engineModel} in memory any more.`);
  };

  /** Sets the loaded context length, because Ollama reloads the model for another one; without a known one, uses the OpenAI route. */
  readonly native = (
    adapted: AdaptedRequest,
    route: EngineRoute,
    engineModel: string,
    stream: boolean,
  ): NativeRequest | undefined => {
    const memory = this.residentModel(engineModel);
    const contextTokens = memory?.contextTokens ?? null;
    if (memory === undefined || contextTokens === null || !this.setsContext) return undefined;
    const isFerrys = !comparesShift(this.version) || this.origin.isFerrys(memory);
    const model = this.models.find(({ engine_model: listed }) => listed === engineModel);
    return nativeRequest(adapted, route, {
      engineModel,
      contextTokens,
      stream,
      runner: isFerrys ? { of: 'ferry', keepAlive: this.settings.keepAlive } : { of: 'others' },
      knowsDeveloper: this.shown(model?.digest ?? '')?.knowsDeveloper === true,
      thinks: model?.reasoning === true,
    });
  };

  readonly document = (body: Buffer, route: DocumentRoute, engineModel: string): NativeDocument | undefined => {
    if (route !== 'embeddings') return undefined;
    const memory = this.residentModel(engineModel);
    const isFerrys = memory !== undefined && this.origin.isFerrys(memory);
    return nativeEmbedding(body, {
      engineModel,
      contextTokens: memory?.contextTokens ?? null,
      keepAlive: isFerrys ? this.settings.keepAlive : undefined,
    });
  };

  get setsContext(): boolean {
    return refusesLongPrompts(this.version);
  }

  /** A 404 for a model that Ollama listed is not a client error; a 500 for the type of an option is one. */
  readonly explain = (failure: EngineFailure, engineModel: string): EngineFailure => {
    if (reportsRunnerExit(failure.message)) {
      const runner = this.residentModel(engineModel);
      if (runner !== undefined) this.dead.died(runner.name);
    }
    if (failure.failure.status === 404) return engineError(failure.message, failure);
    const option = refusedOption.exec(failure.message)?.groups?.['name'];
    if (option === undefined) return failure;
    const { message } = failure;
    return new EngineFailure(
      { code: 'engine_rejected_request', status: 400, message, param: option, retry_after_seconds: null },
      { cause: failure },
    );
  };

  shown(digest: string): ModelNature | undefined {
    return this.capabilities.get(digest);
  }

  mark(name: string, state: ModelState | undefined): void {
    if (state === undefined) this.transitions.delete(name);
    else this.transitions.set(name, state);
  }

  loaded(model: ResidentModel): void {
    this.dead.loaded(model.name);
    this.origin.loaded(model);
  }

  private see(resident: readonly ResidentModel[]): void {
    this.resident = this.dead.without(resident);
    this.origin.see(resident);
  }

  /** As `residentNow`, but one look without a model that was there is no eviction. */
  private async confirmedResident(http: EngineHttp, timeoutMs?: number): Promise<readonly ResidentModel[] | undefined> {
    const now = await this.residentNow(http, timeoutMs);
    if (now === undefined || !this.resident.some((model) => this.isMissingIn(now, model))) return now;
    await delay(RESTART_MS);
    return (await this.residentNow(http, timeoutMs)) ?? now;
  }

  private isMissingIn(now: readonly ResidentModel[], { name }: ResidentModel): boolean {
    return !this.transitions.has(name) && !now.some((model) => model.name === name);
  }

  private residentModel(name: string): ResidentModel | undefined {
    const digest = this.models.find(({ engine_model: listed }) => listed === name)?.digest ?? null;
    return isResident({ name, digest }, this.resident, (of) => this.shown(of));
  }

  /** Undefined when Ollama does not answer in time. @throws when it is unreachable or its response is invalid */
  async residentNow(http: EngineHttp, timeoutMs = RESIDENT_TIMEOUT_MS): Promise<readonly ResidentModel[] | undefined> {
    try {
      const { status, text } = await http.get(RESIDENT_PATH, timeoutMs, RESIDENT_LIMIT_BYTES);
      const response = status === 200 ? parseJson(text) : undefined;
      if (isJsonObject(response) && parseEngineError(response) === undefined) return readResidentModels(response);
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') return undefined;
      throw error;
    }
    throw new UnusableEngineError(`answers ${RESIDENT_PATH} without a list of models`);
  }
}
