import type { EngineModel } from '../../engine.js';
import type { GgufFacts } from '../catalogue/gguf-facts.js';
import type { EmbeddingModel } from '../embedding/embedding-model.js';
import type { LoadedModel } from '../generation/loaded-model.js';
import { deviceName, type UsedGpu } from '../gpu/compute-device.js';
import type { FolderFile } from '../catalogue/models-folder.js';

/** A model in memory, of one kind or the other. */
export type ResidentModel = LoadedModel | EmbeddingModel;

export interface LoadUnderWay {
  readonly giveUp: (reason: Error) => void;
  /** Resolves at the end of the load, whatever its outcome. */
  readonly over: Promise<unknown>;
}

/** A model of the folders and its state. */
export class CatalogModel {
  state: EngineModel['state'] = 'installed';
  loaded: ResidentModel | undefined;
  /** Context length requested for the load; undefined: the engine's default. */
  contextTokens: number | undefined;
  /** Set while the load runs or is queued. */
  loading: LoadUnderWay | undefined;

  constructor(
    readonly file: FolderFile,
    readonly facts: GgufFacts,
  ) {}

  get name(): string {
    return this.file.engineModel;
  }

  /** Set while the model takes requests. */
  get ready(): ResidentModel | undefined {
    return this.state === 'loaded' ? this.loaded : undefined;
  }

  /**
   * @param typicalContextTokens default context of a load; undefined: the trained context
   * @param gpu undefined: the processor computes
   */
  report(typicalContextTokens: number | undefined, gpu: UsedGpu | undefined): EngineModel {
    const expected = Math.min(
      this.facts.trainContextTokens ?? Infinity,
      this.contextTokens ?? typicalContextTokens ?? Infinity,
    );
    const context_length = this.loaded?.contextTokens ?? (Number.isFinite(expected) ? expected : null);
    return {
      ...this.facts.report,
      state: this.state,
      context_length,
      ...(this.loaded !== undefined && placeOf(this.loaded, gpu)),
    };
  }
}

type MemoryUse = Pick<EngineModel, 'memory' | 'device' | 'gpu_layers'>;

function placeOf(
  { memory: { ram, vram }, layers: { onGpu, total } }: ResidentModel,
  gpu: UsedGpu | undefined,
): MemoryUse {
  const isShared = gpu?.unified === true;
  const memory = { ram_bytes: isShared ? ram + vram : ram, vram_bytes: isShared ? 0 : vram };
  if (gpu === undefined) return { memory, device: 'processor' };
  const onDevice = onGpu === 0 ? 'processor' : onGpu < total ? `${deviceName(gpu)}, processor` : deviceName(gpu);
  return { memory, device: onDevice.slice(0, 200), gpu_layers: { on_gpu: onGpu, total } };
}
