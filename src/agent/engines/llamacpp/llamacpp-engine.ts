/** The built-in engine: llama.cpp in this process, over GGUF files in folders (docs/reference/engines.md#built-in-engine). */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { BehaviorSubject, type Observable, type Subscription } from 'rxjs';
import type { Clock } from '../../../kernel/clock.js';
import type { EngineFact, GpuBackend, GpuReport } from '../../../link/messages.js';
import type { Engine, EngineResponse, EngineCall, EngineCondition, EngineModel } from '../engine.js';
import type { InstallSources } from '../engine-kind.js';
import { OperationFailure, type EngineManagement } from '../engine-management.js';
import { EngineNotInstalled, type KvCacheType } from './binding.js';
import type { FreeDiskBytes } from './download/disk-space.js';
import { EmbeddingModel } from './embedding/embedding-model.js';
import { runEmbeddings } from './embedding/run-embeddings.js';
import { modelNotLoaded, unsupportedCapability } from './failures.js';
import { deleteStaleDownloads } from './models-folder/stale-downloads.js';
import { ModelOperations } from './models-folder/model-operations.js';
import { gpuReport, startComputeDevice, type ComputeDevice } from './gpu/compute-device.js';
import type { GpuSetting } from './gpu/gpu-setting.js';
import { freeMemoryBytes, type FreeMemory } from './memory.js';
import { ModelCatalog } from './residency/model-catalog.js';
import { PinnedModels } from './residency/pinned-models.js';
import { Residency } from './residency/residency.js';
import { countChat, runChat, runCompletion } from './routes.js';

export interface LlamacppEngineOptions {
  readonly name?: string;
  /** Folder with node-llama-cpp in its `node_modules`. */
  readonly enginePackageDirectory: string;
  /** GGUF files that the owner installs and removes. Created on first use. */
  readonly modelsDirectory: string;
  /** Bundled GGUF files; read-only. */
  readonly bundledModelsDirectory?: string;
  /** Persists which models the owner loaded and unloaded; absent: not persisted. */
  readonly stateFile?: string;
  /** File names without `.gguf` of the models to keep in memory until the owner unloads them. */
  readonly load: 'all' | readonly string[];
  /** Concurrent requests; each has a sequence with its own KV cache in every loaded model. */
  readonly slots?: number;
  /**
   * Tokens of prompt and answer together, per slot, limited by the trained context. Allocated when the model loads: 2 KiB per token and
   * slot for `tiny`, about 128 KiB for an 8B model. Absent: 8,192 per slot are allocated, 4,096 for a bundled model, and a longer request
   * temporarily gets its own context, up to the trained length and the free memory.
   */
  readonly contextTokens?: number;
  /** Compute threads. More than the free cores make llama.cpp very slow, because its threads spin while they wait for each other. */
  readonly threads?: number;
  /** Interval of scans of the folders. */
  readonly rescanMs?: number;
  /** Larger files are not installed. */
  readonly maxModelBytes?: number;
  /** Grace period of running responses when a model is unloaded. */
  readonly unloadGraceMs?: number;
  /** `HF_TOKEN`, `HF_ENDPOINT` and the proxy for installing. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly userAgent?: string;
  /** Absent: `public`. */
  readonly installSources?: InstallSources;
  readonly freeMemoryBytes?: () => number;
  /** Memory of graphics processors only. */
  readonly freeGpuBytes?: () => number;
  /** Absent: `off`. */
  readonly gpu?: GpuSetting;
  /** Packages for a graphics processor. Absent: none are installed. */
  readonly gpuDirectory?: (backend: GpuBackend) => { readonly directory: string; readonly isInstalled: boolean };
  /** Remembers crashes while the graphics processor was used; absent: not persisted. */
  readonly gpuRecordFile?: string;
  /** Layers on the graphics processor. Absent: as many as fit. */
  readonly gpuLayers?: number;
  /** Absent: with a graphics processor, unless it crashes its driver. */
  readonly flashAttention?: boolean;
  /** Absent: F16. */
  readonly kvCacheType?: KvCacheType;
  /** Tokens that are evaluated in one batch, over all slots. */
  readonly batchTokens?: number;
  readonly freeDiskBytes?: FreeDiskBytes;
  readonly clock: Clock;
  readonly log?: (level: 'info' | 'warn', message: string) => void;
}

const DEFAULT_SLOTS = 4;
const DEFAULT_BATCH_TOKENS = 512;
/** Slots by the memory of the graphics processor, in GiB: each needs its part of the KV cache. */
const GPU_SLOTS = [
  [40, 32],
  [20, 16],
  [10, 8],
] as const;
const GIBIBYTE = 1_024 ** 3;
/** Comes with Ferry. */
const PROBE_MODEL = 'tiny.gguf';
/** So long may a file that somebody has copied into the folder of models not be seen. */
const DEFAULT_RESCAN_MS = 5_000;
/** Interval of measurements of free memory; more often, the reported context lengths would fluctuate. */
const MEASURE_MS = 60_000;
const DEFAULT_UNLOAD_GRACE_MS = 30_000;

export const createLlamacppEngine = (options: LlamacppEngineOptions): Engine => new LlamacppEngine(options);

interface Running {
  readonly device: ComputeDevice;
  readonly catalog: ModelCatalog;
  readonly operations: ModelOperations;
  readonly rescan: NodeJS.Timeout;
  readonly measuring: NodeJS.Timeout;
  readonly forwarding: Subscription;
}

class LlamacppEngine implements Engine {
  readonly kind = 'llamacpp';
  readonly inProcess = true;
  readonly management: EngineManagement = {
    load: async (engineModel, options, context) => this.operations().load(engineModel, options, context),
    unload: async (engineModel, context) => this.operations().unload(engineModel, context),
    install: async (source, context) => this.operations().install(source, context),
    remove: async (engineModel, context) => this.operations().remove(engineModel, context),
  };
  readonly name: string;
  slots: number;
  /** Runs inside the node, so it answers, except while a graphics processor is tried at its start. */
  condition: EngineCondition = { is: 'answering' };
  private readonly models = new BehaviorSubject<readonly EngineModel[]>([]);
  private running: Running | undefined;
  /** llama.cpp computes on these besides the processor. */
  private gpus: readonly GpuReport[] = [];
  private problem = 'the built-in engine is not running';

  constructor(private readonly options: LlamacppEngineOptions) {
    this.name = options.name ?? 'llamacpp';
    this.slots = options.slots ?? DEFAULT_SLOTS;
  }

  get models$(): Observable<readonly EngineModel[]> {
    return this.models;
  }

  facts(): EngineFact {
    const { name, kind, running } = this;
    return {
      name,
      kind,
      version:
        running === undefined
          ? null
          : `node-llama-cpp ${running.device.binding.version}, llama.cpp ${releaseOf(running)}`,
    };
  }

  get usedGpus(): readonly GpuReport[] {
    return this.gpus;
  }

  /** Resolves when the folders have been read; models then load one after the other. Without its packages the engine has no models. */
  async start(): Promise<void> {
    try {
      const device = await this.startDevice();
      this.condition = { is: 'answering' };
      this.slots = this.options.slots ?? slotsFor(device);
      const { catalog, operations } = await this.furnish(device);
      void deleteStaleDownloads(this.options.modelsDirectory, this.options.clock, this.log);
      const rescan = setInterval(() => void catalog.refresh(), this.options.rescanMs ?? DEFAULT_RESCAN_MS).unref();
      const measuring = setInterval(() => void this.measure(), MEASURE_MS).unref();
      this.running = {
        device,
        catalog,
        operations,
        rescan,
        measuring,
        forwarding: catalog.models$.subscribe(this.models),
      };
      await this.measureGpu(device);
      await catalog.refresh();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.problem = error instanceof EngineNotInstalled ? reason : `the built-in engine cannot start: ${reason}`;
      this.log('warn', this.problem);
    } finally {
      this.condition = { is: 'answering' };
    }
  }

  /** Running requests fail. */
  async stop(): Promise<void> {
    const { running } = this;
    this.running = undefined;
    if (running === undefined) return;
    clearInterval(running.rescan);
    clearInterval(running.measuring);
    await running.catalog.close();
    running.forwarding.unsubscribe();
    await running.device.llama.dispose();
    await running.device.ended();
  }

  private readonly log = (level: 'info' | 'warn', message: string): void => {
    this.options.log?.(level, message);
  };

  private startDevice(): Promise<ComputeDevice> {
    const { options, log } = this;
    const { enginePackageDirectory: directory, gpu: setting = 'off', env = {}, clock } = options;
    const folder = options.bundledModelsDirectory ?? options.modelsDirectory;
    return startComputeDevice({
      setting,
      directory,
      gpuDirectory: options.gpuDirectory ?? (() => ({ directory, isInstalled: false })),
      probeModel: [path.join(folder, PROBE_MODEL)].find((file) => existsSync(file)),
      recordFile: options.gpuRecordFile,
      flashAttention: options.flashAttention,
      maxThreads: options.threads ?? Math.max(1, availableParallelism() - 1),
      env,
      clock,
      log,
      onTrying: () => {
        this.condition = { is: 'unreachable', problem: 'is preparing the graphics processor' };
      },
    });
  }

  private async measure(): Promise<void> {
    const { running } = this;
    if (running === undefined) return;
    await running.catalog.measure();
    await this.measureGpu(running.device);
  }

  private async measureGpu({ llama, gpu }: ComputeDevice): Promise<void> {
    if (gpu !== undefined) this.gpus = [await gpuReport(llama, gpu)];
  }

  private async freeMemory({ llama, gpu }: ComputeDevice): Promise<FreeMemory> {
    const ram = (this.options.freeMemoryBytes ?? freeMemoryBytes)();
    if (gpu === undefined) return { ram, vram: 0, unified: false };
    const { total, free } = await llama.getVramState();
    const { gpuVram: own } = await llama.getLlamaMemoryUsage();
    // Some drivers do not count what is used.
    return { ram, vram: this.options.freeGpuBytes?.() ?? Math.min(free, total - own), unified: gpu.unified };
  }

  private async furnish(device: ComputeDevice): Promise<Pick<Running, 'catalog' | 'operations'>> {
    const { options, slots, log } = this;
    const { load, clock, contextTokens } = options;
    const { binding, llama, gpu } = device;
    const folders = { installed: options.modelsDirectory, bundled: options.bundledModelsDirectory };
    const pinned = await PinnedModels.read(options.stateFile, (problem) => {
      log('warn', problem);
    });
    const residency = new Residency(binding, llama, {
      slots,
      contextTokens,
      freeMemory: () => this.freeMemory(device),
      gpu,
      gpuLayers: options.gpuLayers,
      kind: {
        // On a processor it is slow for short batches: at 15,000 tokens of context it took 65 ms per token of `tiny` instead of 18 ms, and four
        // streams were four times slower.
        flashAttention: options.flashAttention ?? gpu?.flashAttention ?? false,
        kvCacheType: options.kvCacheType ?? 'F16',
      },
      batchTokens: options.batchTokens ?? DEFAULT_BATCH_TOKENS,
      unloadGraceMs: options.unloadGraceMs ?? DEFAULT_UNLOAD_GRACE_MS,
      clock,
      log,
      onChange: () => {
        catalog.publish();
      },
    });
    const catalog = new ModelCatalog(binding, residency, { folders, load, contextTokens, gpu, pinned, log });
    const operations = new ModelOperations({
      binding,
      folders,
      load,
      catalog,
      residency,
      pinned,
      env: options.env ?? {},
      userAgent: options.userAgent ?? 'ferry-node',
      installSources: options.installSources ?? 'public',
      maxModelBytes: options.maxModelBytes ?? Infinity,
      ...(options.freeDiskBytes !== undefined && { freeDiskBytes: options.freeDiskBytes }),
    });
    return { catalog, operations };
  }

  /** @throws OperationFailure while the engine does not run */
  private operations(): ModelOperations {
    if (this.running !== undefined) return this.running.operations;
    throw new OperationFailure('engine_unreachable', this.problem);
  }

  async run(call: EngineCall): Promise<EngineResponse> {
    const { engineModel, body, stream, signal, onMeter } = call;
    const { running } = this;
    const model = running?.catalog.loaded(engineModel);
    if (running === undefined || model === undefined) throw modelNotLoaded(engineModel);
    if (model instanceof EmbeddingModel) {
      if (call.route !== 'embeddings') throw unsupportedCapability('model', 'this model only embeds');
      return runEmbeddings({ model, engineModel, body, signal });
    }
    const fingerprint = `llama.cpp-${releaseOf(running)}`;
    const routeCall = { model, engineModel, fingerprint, body, stream, signal, onMeter, clock: this.options.clock };
    switch (call.route) {
      case 'chat':
        return runChat(routeCall);
      case 'completions':
        return runCompletion(routeCall);
      case 'count':
        return countChat(routeCall);
      case 'embeddings':
      case 'rerank':
        throw unsupportedCapability('model', 'this model generates text only');
      default:
        return call satisfies never;
    }
  }
}

/** The processor computes four sequences as fast as more. */
const slotsFor = ({ gpu }: ComputeDevice): number =>
  GPU_SLOTS.find(([gibibytes]) => gpu !== undefined && gpu.totalBytes >= gibibytes * GIBIBYTE)?.[1] ?? DEFAULT_SLOTS;

const releaseOf = ({ device: { llama } }: Running): string => llama.llamaCppRelease.release;
