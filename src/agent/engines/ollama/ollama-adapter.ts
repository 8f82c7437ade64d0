import { isJsonObject, parseJson } from '../../../kernel/json-object.js';
import type { ModelState } from '../../../kernel/dialect.js';
import { engineError } from '../failures/failures.js';
import type { EngineHttp } from '../http/engine-http.js';
import type { EngineFailure, EngineModel, EngineRoute } from '../engine.js';
import type { AdaptedRequest, EngineAdapter, EngineHandle, NativeRequest } from '../http/http-engine.js';
import { type EngineSnapshot, probeEngine, probeIfPresent, UnusableEngineError } from '../http/probe.js';
import { parseEngineError } from '../failures/error-parser.js';
import { describeOllamaModels, isResident, listedModels, readResidentModels, type ResidentModel } from './inventory.js';
import { ModelCapabilitiesCache } from './model-capabilities.js';
import { nativeRequest } from './native-request.js';
import { ollamaManagement, type OllamaMemory, type OllamaSettings } from './ollama-management.js';
import { adaptToOllama } from './request-rules.js';

/** First version tested to honour `truncate` and `shift`. In `/api/ps` of some older ones the context is the sum over parallel requests. */
const FIRST_WITH_TRUNCATE = [0, 12, 6] as const;
const RESIDENT_PATH = '/api/ps';
const RESIDENT_LIMIT_BYTES = 1024 * 1024;
/** `/api/ps` answers at once, but during a load only after it, which may take minutes. */
const RESIDENT_TIMEOUT_MS = 1_500;
/** Before a request; after it the last known list counts. */
const RESIDENT_CHECK_TIMEOUT_MS = 500;

/** Ollama over its native routes (docs/reference/engines.md#ollama): listed models are installed, those in `/api/ps` are loaded. */
export class OllamaAdapter implements EngineAdapter, OllamaMemory {
  readonly kind = 'ollama';
  readonly aliases = { max_completion_tokens: 'max_tokens' };
  readonly cutsPrompts = true;
  private readonly capabilities = new ModelCapabilitiesCache();
  private readonly transitions = new Map<string, ModelState>();
  private resident: readonly ResidentModel[] = [];
  private models: readonly EngineModel[] = [];
  private http: EngineHttp | undefined;
  private version: string | null = null;

  constructor(private readonly settings: OllamaSettings) {}

  readonly probe = async (http: EngineHttp): Promise<EngineSnapshot> => {
    const [version, list, resident] = await Promise.all([
      probeIfPresent(http, '/api/version'),
      probeEngine(http, '/api/tags'),
      this.residentNow(http),
    ]).catch((error: unknown) => {
      // The next answer may come from a restarted process, with nothing in memory.
      if ((error as Error).name !== 'TimeoutError') this.resident = [];
      throw error;
    });
    if (resident !== undefined) this.resident = resident;
    // Ollama without models may answer null.
    const tags = 'models' in list ? (list['models'] ?? []) : undefined;
    await this.capabilities.learn(http, listedModels(tags));
    const models = describeOllamaModels({
      tags,
      resident: this.resident,
      shown: (digest) => this.capabilities.get(digest),
      transition: (name) => this.transitions.get(name),
    });
    if (models === undefined) throw new UnusableEngineError('answers /api/tags without a list of models');
    this.models = models;
    const reported = version?.['version'];
    this.version = typeof reported === 'string' ? reported.slice(0, 100) : null;
    return { version: this.version, models };
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
      this.resident = (await this.residentNow(http, RESIDENT_CHECK_TIMEOUT_MS)) ?? this.resident;
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
    const contextTokens = this.residentModel(engineModel)?.contextTokens ?? null;
    if (contextTokens === null || !this.setsContext) return undefined;
    return nativeRequest(adapted, route, { engineModel, contextTokens, stream });
  };

  get setsContext(): boolean {
    return refusesLongPrompts(this.version);
  }

  /** A 404 for a model that Ollama listed is not a client error. */
  readonly explain = (failure: EngineFailure): EngineFailure =>
    failure.failure.status === 404 ? engineError(failure.message, failure) : failure;

  mark(name: string, state: ModelState | undefined): void {
    if (state === undefined) this.transitions.delete(name);
    else this.transitions.set(name, state);
  }

  private residentModel(name: string): ResidentModel | undefined {
    const digest = this.models.find(({ engine_model: listed }) => listed === name)?.digest ?? null;
    return isResident({ name, digest }, this.resident);
  }

  /** Undefined when Ollama does not answer in time. @throws when it is unreachable or its answer is invalid */
  async residentNow(http: EngineHttp, timeoutMs = RESIDENT_TIMEOUT_MS): Promise<readonly ResidentModel[] | undefined> {
    try {
      const { status, text } = await http.get(RESIDENT_PATH, timeoutMs, RESIDENT_LIMIT_BYTES);
      const answer = status === 200 ? parseJson(text) : undefined;
      if (isJsonObject(answer) && parseEngineError(answer) === undefined) return readResidentModels(answer);
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') return undefined;
      throw error;
    }
    throw new UnusableEngineError(`answers ${RESIDENT_PATH} without a list of models`);
  }
}

/** Whether the native routes of this version keep a context length and refuse a longer prompt. */
export function refusesLongPrompts(version: string | null): boolean {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/
    .exec(version ?? '')
    ?.slice(1)
    .map(Number);
  if (parts === undefined) return false;
  for (const [position, least] of FIRST_WITH_TRUNCATE.entries()) {
    const part = parts[position] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}
