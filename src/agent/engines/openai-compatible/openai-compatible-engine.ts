import { z } from 'zod';
import {
  documentRoutes,
  engineRoutes,
  type DocumentRoute,
  type EngineFailure,
  type EngineModel,
  type EngineRoute,
} from '../engine.js';
import type { EngineKind } from '../engine-kind.js';
import { fingerprint, MLX_DEFAULT_MODEL, type EngineFingerprint } from '../http/fingerprint.js';
import type { EngineHttp } from '../http/engine-http.js';
import { HttpEngine, type HttpEngineOptions } from '../http/http-engine.js';
import type { EngineAdapter } from '../http/engine-adapter.js';
import { httpEngineOptions, httpEntryFields } from '../http/http-entry.js';
import { probeList, probeOf, UnusableEngineError, type EngineSnapshot } from '../http/probe.js';
import { readModelList } from '../http/model-list.js';
import { adaptToMlxLm, checkMlxLm, explainMlxLm, MLX_LM } from './mlx-lm.js';

/** An engine could be replaced by another with the same list between two looks. */
const FINGERPRINT_LIFETIME_MS = 60_000;
const DEFAULT_MAX_MODELS = 100;
const MAX_PATTERNS = 100;

export interface OpenAiCompatibleOptions extends HttpEngineOptions {
  /** Names the resident models of an engine that loads on demand. Wins over every fingerprint; null: as the fingerprint says. */
  readonly resident: 'all' | readonly string[] | null;
  /** null: as far as the engine is recognised. */
  readonly routes: readonly (EngineRoute | DocumentRoute)[] | null;
  /** Patterns of the models to serve, with `*` for any text; null: all. */
  readonly only: readonly string[] | null;
  /** The first so many of them. */
  readonly maxModels: number;
}

/** Any server that speaks `GET /v1/models` and `POST /v1/chat/completions`; with `POST /v1/completions` where it has that, too. */
export class OpenAiCompatibleEngine extends HttpEngine {
  constructor(options: OpenAiCompatibleOptions) {
    super(options, new OpenAiCompatibleAdapter(options));
  }
}

class OpenAiCompatibleAdapter implements EngineAdapter {
  readonly kind = 'openai-compatible';
  private recognised: EngineFingerprint | undefined;
  private recognisedFrom = '';
  private recognisedAtMs = 0;

  private readonly only: readonly RegExp[] | null;

  constructor(private readonly options: Pick<OpenAiCompatibleOptions, 'resident' | 'routes' | 'only' | 'maxModels'>) {
    this.only = options.only?.map(asExpression) ?? null;
  }

  readonly adapt: NonNullable<EngineAdapter['adapt']> = (body, route) =>
    this.recognised?.kind === MLX_LM ? adaptToMlxLm(body, route) : { body, dropped: [] };

  /** By the absolute path in its list mlx-lm would load its `--model` again, and without the adapter. */
  readonly admit = (engineModel: string): string =>
    this.recognised?.kind === MLX_LM && this.recognised.isResident?.(engineModel) === true
      ? MLX_DEFAULT_MODEL
      : engineModel;

  readonly explain = (failure: EngineFailure): EngineFailure =>
    this.recognised?.kind === MLX_LM ? explainMlxLm(failure) : failure;

  readonly probe = async (http: EngineHttp): Promise<EngineSnapshot> => {
    try {
      const list = await probeList(http);
      const engine = await this.recognise(http, JSON.stringify(list));
      if (engine.kind === MLX_LM) await checkMlxLm(http);
      const models = readModelList(list, {
        routes: this.options.routes ?? [...(engine.completes ? engineRoutes : (['chat'] as const)), ...documentRoutes],
        stateOf: (id) => this.stateOf(id, engine),
      });
      if (models === undefined) throw new UnusableEngineError('answers /v1/models without a list of models');
      return { version: engine.version, kind: engine.kind, models: this.served(models) };
    } catch (error) {
      // Busy is not gone: only an engine that has gone may come back as another.
      if ((error as Error).name !== 'TimeoutError') this.recognised = undefined;
      throw error;
    }
  };

  /** Asks again whenever the list changed, because then the engine may have, too. Nothing counts as loaded before it is known. */
  private async recognise(http: EngineHttp, list: string): Promise<EngineFingerprint> {
    const age = performance.now() - this.recognisedAtMs;
    if (this.recognised !== undefined && this.recognisedFrom === list && age < FINGERPRINT_LIFETIME_MS) {
      return this.recognised;
    }
    const engine = await fingerprint(probeOf(http));
    this.recognised = engine;
    this.recognisedFrom = list;
    this.recognisedAtMs = performance.now();
    return engine;
  }

  private stateOf(id: string, engine: EngineFingerprint): 'loaded' | 'installed' {
    const { resident } = this.options;
    if (resident !== null) return resident === 'all' || resident.includes(id) ? 'loaded' : 'installed';
    return engine.loadsOnDemand && engine.isResident?.(id) !== true ? 'installed' : 'loaded';
  }

  /** A hub may list thousands of models of others. */
  private served(models: readonly EngineModel[]): readonly EngineModel[] {
    const { only } = this;
    const chosen =
      only === null ? models : models.filter(({ engine_model: id }) => only.some((expression) => expression.test(id)));
    return chosen.slice(0, this.options.maxModels);
  }
}

const asExpression = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      .join('.*')}$`,
    's',
  );

const schema = z.strictObject({
  kind: z.literal('openai-compatible'),
  ...httpEntryFields,
  /** Names the resident models where the engine has no route that reports them. */
  resident: z.union([z.literal('all'), z.array(z.string().min(1)).max(1_000)]).optional(),
  /**
   * Absent: `chat`, `completions` where the engine is recognised as one that has it, and `embeddings` and `rerank`, which it refuses if it
   * lacks them.
   */
  routes: z
    .array(z.enum([...engineRoutes, ...documentRoutes]))
    .min(1)
    .optional(),
  /** Limits the listed models that are served, such as `["local/*"]`. Absent: all. */
  only_models: z.array(z.string().min(1).max(200)).min(1).max(MAX_PATTERNS).optional(),
  max_models: z.number().int().min(1).max(5_000).default(DEFAULT_MAX_MODELS),
});
type OpenAiCompatibleEntry = z.output<typeof schema>;

export const openAiCompatibleKind: EngineKind<OpenAiCompatibleEntry> = {
  kind: 'openai-compatible',
  schema,
  create: (entry, context) =>
    new OpenAiCompatibleEngine({
      ...httpEngineOptions(entry, context, 'openai'),
      resident: entry.resident ?? null,
      routes: entry.routes ?? null,
      only: entry.only_models ?? null,
      maxModels: entry.max_models,
    }),
};
