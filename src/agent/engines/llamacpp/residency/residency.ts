/** Loads and unloads models, on behalf of the owner or the configuration, never for a request. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../../../kernel/clock.js';
import { OperationFailure, type OperationContext } from '../../engine-management.js';
import type { Binding, Llama } from '../binding.js';
import { modelUnloaded } from '../failures.js';
import { abortable } from '../generation/abortable.js';
import { EmbeddingModel } from '../embedding/embedding-model.js';
import { LoadedModel, type LoadOptions } from '../generation/loaded-model.js';
import { deviceName, type UsedGpu } from '../gpu/compute-device.js';
import { ModelMemory, type ContextKind, type FreeMemory } from '../memory.js';
import { layersOnGpu, sharedContextTokens } from './layer-split.js';
import type { CatalogModel, ResidentModel } from './catalog-model.js';

interface ResidencyOptions {
  readonly slots: number;
  /** Default context per slot. Undefined: by the model and the free memory. */
  readonly contextTokens: number | undefined;
  readonly freeMemory: () => Promise<FreeMemory>;
  /** Undefined: the processor computes. */
  readonly gpu: UsedGpu | undefined;
  /** Layers on the graphics processor. Undefined: as many as fit. */
  readonly gpuLayers: number | undefined;
  readonly kind: ContextKind;
  /** Tokens that are evaluated in one batch, over all slots. */
  readonly batchTokens: number;
  /** Grace period of running responses when a model is unloaded. */
  readonly unloadGraceMs: number;
  readonly clock: Clock;
  readonly log: (level: 'info' | 'warn', message: string) => void;
  /** The state of a model has changed. */
  readonly onChange: () => void;
}

/** Allocated per slot unless a context length is configured or requested; longer prompts get their own context. */
const SHARED_CONTEXT_TOKENS = 8_192;
/** The same for models that come with Ferry: they are there to try it out, also beside an engine that needs the memory. */
const BUNDLED_CONTEXT_TOKENS = 2_048;
/** Minimum context of a load. */
const LEAST_USEFUL_TOKENS = 1_024;

/** Preparing the graphics processor takes seconds when its driver sees the computation for the first time. */
const NOTICEABLE_MS = 1_000;

type LoadContext = Pick<OperationContext, 'signal' | 'report'>;

export class Residency {
  private readonly stopping = new AbortController();
  /** Serialises loads: two at once would count the same free memory. */
  private queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly binding: Binding,
    private readonly llama: Llama,
    private readonly options: ResidencyOptions,
  ) {}

  /** @throws OperationFailure; the reason of the signal or of the cancel. The model then has its earlier state, or `failed`. */
  async load(model: CatalogModel, contextTokens: number | undefined, { signal, report }: LoadContext): Promise<void> {
    const givenUp = new AbortController();
    model.contextTokens = contextTokens;
    this.change(model, 'loading');
    const abortSignal = AbortSignal.any([this.stopping.signal, givenUp.signal, signal]);
    const turn = this.queue.then(() => this.loadNow(model, { signal: abortSignal, report }));
    this.queue = turn.catch(() => undefined);
    const outcome = abortable(turn, abortSignal);
    model.loading = {
      giveUp: (reason) => {
        givenUp.abort(reason);
      },
      over: outcome.catch(() => undefined),
    };
    try {
      await outcome;
      model.loading = undefined;
      this.change(model, 'loaded');
    } catch (error) {
      model.loading = undefined;
      if (!abortSignal.aborted) this.options.log('warn', `${model.name}: cannot be loaded: ${reasonOf(error)}`);
      model.contextTokens = undefined;
      this.retireLoaded(model);
      this.change(model, abortSignal.aborted ? 'installed' : 'failed');
      throw abortSignal.aborted ? error : this.failureOf(error);
    }
  }

  /**
   * Refuses new requests and aborts running responses after the grace period.
   * @throws OperationFailure; the signal's reason when it fires before the model is unloaded, which then stays loaded
   */
  async unload(model: CatalogModel, { signal, report }: LoadContext): Promise<void> {
    const { loaded } = model;
    if (loaded === undefined) return;
    loaded.pool.close();
    this.change(model, 'unloading');
    report({ phase: 'finishing answers', completedBytes: null, totalBytes: null });
    try {
      await this.responsesEnd(loaded, signal);
    } catch (error) {
      loaded.pool.reopen();
      this.change(model, 'loaded');
      throw error;
    }
    report({ phase: 'unloading', completedBytes: null, totalBytes: null });
    model.loaded = undefined;
    try {
      await loaded.retire();
      this.options.log('info', `${model.name}: unloaded`);
      this.change(model, 'installed');
    } catch (error) {
      this.options.log('warn', `${model.name}: unloading failed: ${reasonOf(error)}`);
      this.change(model, 'failed');
      throw new OperationFailure('engine_error', `llama.cpp: ${reasonOf(error)}`, { cause: error });
    }
  }

  /** For a removed or replaced file: the model is no longer listed; running responses are finished. */
  release(model: CatalogModel): void {
    model.loading?.giveUp(new OperationFailure('unknown_model', `the file of ${model.name} no longer exists`));
    this.retireLoaded(model);
  }

  /** Does not free memory; disposing llama.cpp does. */
  async close(): Promise<void> {
    this.stopping.abort(new OperationFailure('engine_unreachable', 'the node stops'));
    await this.queue;
  }

  private async loadNow(model: CatalogModel, { signal, report }: LoadContext): Promise<void> {
    signal.throwIfAborted();
    const { slots, clock, log, kind, batchTokens, gpu } = this.options;
    const { path: modelPath, sizeBytes, removable } = model.file;
    const { template, trainContextTokens } = model.facts;
    const requested = model.contextTokens;
    const configured = requested ?? this.options.contextTokens;
    const startedMs = clock.monotonicMs();
    const onProgress = (share: number, phase = 'loading'): void => {
      report({ phase, completedBytes: Math.floor(share * sizeBytes), totalBytes: sizeBytes });
    };
    onProgress(0);
    // A requested context length is exact; a default is reduced to the minimum when memory is short.
    const most = removable ? SHARED_CONTEXT_TOKENS : BUNDLED_CONTEXT_TOKENS;
    const usualTokens = configured ?? most;
    const leastTokens = Math.min(requested ?? LEAST_USEFUL_TOKENS, usualTokens, trainContextTokens ?? Infinity);
    const memory = await ModelMemory.of(this.binding, this.llama, { modelPath, sizeBytes, kind });
    const least = { contextTokens: leastTokens, sequences: slots, batchTokens };
    const free = await this.options.freeMemory();
    const { gpuLayers: wanted } = this.options;
    const gpuLayers = gpu === undefined ? 0 : await layersOnGpu({ memory, free, least, configured: wanted });
    await memory.check(least, gpuLayers, free);
    const split = splitText(gpuLayers, memory.layers, gpu);
    if (split !== undefined) {
      log('info', `${model.name}: ${split}`);
      onProgress(0, `loading, ${split}`);
    }
    const usual = { ...least, contextTokens: usualTokens };
    const sharedTokens = gpuLayers === 0 ? most : await sharedContextTokens(memory, free, gpuLayers, { usual, least });
    const options: LoadOptions = {
      modelPath,
      template,
      slots,
      contextTokens: configured,
      sharedTokens,
      memory,
      freeMemory: this.options.freeMemory,
      exactContext: requested !== undefined,
      gpuLayers,
      kind,
      batchTokens,
      signal,
      onProgress,
      onPreparing: (seconds) => {
        report({
          phase: `preparing the graphics processor, ${seconds} s`,
          completedBytes: sizeBytes,
          totalBytes: sizeBytes,
        });
      },
      clock,
    };
    const loaded = model.facts.report.embedding
      ? await EmbeddingModel.load(this.llama, options)
      : await LoadedModel.load(this.binding, this.llama, options);
    if (signal.aborted) await loaded.retire();
    signal.throwIfAborted();
    model.loaded = loaded;
    const { contextTokens: tokens, preparedMs } = loaded;
    const prepared = preparedMs < NOTICEABLE_MS ? '' : `, of which ${preparedMs} ms prepared the graphics processor`;
    const tookMs = Math.round(clock.monotonicMs() - startedMs);
    log('info', `${model.name}: loaded in ${tookMs} ms${prepared}, context ${tokens} tokens`);
  }

  private async responsesEnd({ pool }: ResidentModel, signal: AbortSignal): Promise<void> {
    const graceOver = new AbortController();
    const grace = delay(this.options.unloadGraceMs, undefined, { signal: graceOver.signal, ref: false });
    try {
      const over = grace.then(() => {
        pool.revoke(modelUnloaded());
      });
      over.catch(() => undefined);
      await abortable(pool.drained(), signal);
    } finally {
      graceOver.abort();
    }
  }

  private retireLoaded(model: CatalogModel): void {
    const { loaded } = model;
    model.loaded = undefined;
    void loaded?.retire().catch((error: unknown) => {
      this.options.log('warn', `${model.name}: unloading failed: ${reasonOf(error)}`);
    });
  }

  private change(model: CatalogModel, state: CatalogModel['state']): void {
    model.state = state;
    this.options.onChange();
  }

  private failureOf(error: unknown): OperationFailure {
    if (error instanceof OperationFailure) return error;
    const code = error instanceof this.binding.llamaCpp.InsufficientMemoryError ? 'out_of_memory' : 'engine_error';
    return new OperationFailure(code, `llama.cpp: ${reasonOf(error)}`.slice(0, 1_000), { cause: error });
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Undefined where there is nothing to say. */
const splitText = (onGpu: number, layers: number, gpu: UsedGpu | undefined): string | undefined =>
  gpu === undefined || onGpu >= layers
    ? undefined
    : `${onGpu} of ${layers} layers fit on ${deviceName(gpu)}; the processor computes the others, which is slower`;
