/**
 * Interfaces of the part of node-llama-cpp (and its Jinja renderer) that the built-in engine uses. The packages are in a separate folder
 * and may be missing (docs/reference/engines.md#built-in-engine), so they must not be imported statically.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { GpuBackend } from '../../../link/messages.js';
import { engineRemedy } from './engine-packages.js';

export type Token = number;

/** State of a grammar within one answer; opaque. */
export type GrammarState = object;
export type Grammar = object;

export interface EvaluateOptions {
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  readonly minP: number;
  readonly seed: number;
  /** Called before every token, so that a grammar can start in the middle of a response. */
  readonly grammarEvaluationState: () => GrammarState | undefined;
  readonly repeatPenalty?: {
    readonly punishTokens: () => Token[];
    readonly maxPunishTokens: number;
    readonly penalty: number;
    readonly frequencyPenalty: number;
    readonly presencePenalty: number;
  };
  readonly yieldEogToken: true;
  /** Orders the sequences in batches: see `inSequenceOrder`. */
  readonly evaluationPriority: number;
}

/** A sequence of a context: has its own KV cache and is evaluated in one batch with the others. */
export interface LlamaSequence {
  readonly contextSize: number;
  readonly nextTokenIndex: number;
  /** Tokens of the state, in order. */
  readonly contextTokens: readonly Token[];
  /** True where a prefix of the state cannot be kept when its end is cut off (recurrent models, sliding windows). */
  readonly needsCheckpoints: boolean;
  compareContextTokens(tokens: readonly Token[]): { readonly firstDifferentIndex: number };
  eraseContextTokenRanges(ranges: readonly { readonly start: number; readonly end: number }[]): Promise<void>;
  clearHistory(): Promise<void>;
  evaluateWithoutGeneratingNewTokens(
    tokens: readonly Token[],
    options?: Pick<EvaluateOptions, 'evaluationPriority'>,
  ): Promise<void>;
  /** Yields sampled tokens that are not in the state yet; a value given to `next` goes there in place of the last one. */
  evaluate(tokens: readonly Token[], options: EvaluateOptions): AsyncGenerator<Token, void, Token[] | undefined>;
  dispose(): Promise<void>;
}

/** Bytes that llama.cpp has allocated. */
interface MemoryUsage {
  readonly ram: number;
  readonly vram: number;
}

/** Types of the tensors of a KV cache. */
export type KvCacheType = 'F16' | 'Q8_0' | 'Q4_0';

/** A sequence waits for the computation of these tokens. */
export interface BatchItem {
  readonly tokens: readonly Token[];
  readonly evaluationPriority: number;
}

/** Chooses the tokens that are computed in one batch, and their order. @param size tokens of the batch */
export type BatchingStrategy = (wanted: {
  readonly items: readonly BatchItem[];
  readonly size: number;
}) => readonly { readonly item: BatchItem; readonly processAmount: number }[];

export interface LlamaContext {
  /** Tokens per sequence. */
  readonly contextSize: number;
  readonly batchSize: number;
  readonly memoryUsage: MemoryUsage;
  getSequence(): LlamaSequence;
  dispose(): Promise<void>;
}

export interface LlamaModel {
  readonly trainContextSize: number;
  readonly memoryUsage: MemoryUsage;
  readonly tokens: {
    readonly bos: Token | null;
    readonly bosString: string | null;
    readonly eosString: string | null;
    readonly shouldPrependBosToken: boolean;
  };
  tokenize(text: string, specialTokens: boolean, options?: 'trimLeadingSpace'): Token[];
  detokenize(tokens: readonly Token[], specialTokens: boolean, lastTokens?: readonly Token[]): string;
  isEogToken(token: Token): boolean;
  iterateAllTokens(): Iterable<Token>;
  getTokenAttributes(token: Token): { readonly control: boolean };
  createContext(options: {
    readonly contextSize: { readonly min: number; readonly max: number };
    readonly sequences: number;
    readonly batchSize: number;
    readonly flashAttention: boolean;
    readonly experimentalKvCacheKeyType: KvCacheType;
    readonly experimentalKvCacheValueType: KvCacheType;
    readonly batching?: {
      readonly itemPrioritizationStrategy: BatchingStrategy;
      /** When what has been asked for is computed. */
      readonly dispatchSchedule: (dispatch: () => void) => void;
    };
    readonly createSignal: AbortSignal;
  }): Promise<LlamaContext>;
  /** Pooling is that of the file. */
  createEmbeddingContext(options: {
    readonly contextSize: number;
    readonly batchSize: number;
    /** 0: as many as llama.cpp may use. */
    readonly threads: number;
    readonly createSignal: AbortSignal;
  }): Promise<LlamaEmbeddingContext>;
  dispose(): Promise<void>;
}

export interface LlamaEmbeddingContext {
  /** In tokens, with those that the model puts around. */
  calculateInputLength(input: string | Token[]): number;
  getEmbeddingFor(input: string | Token[]): Promise<{ readonly vector: readonly number[] }>;
  dispose(): Promise<void>;
}

export interface Llama {
  readonly llamaCppRelease: { readonly release: string };
  /** Graphics processors that llama.cpp computes on. */
  getGpuDeviceNames(): Promise<readonly string[]>;
  /** Sums over all GPUs, with use by other programs. `unifiedSize` is the part of the total that is memory of the host. */
  getVramState(): Promise<{ readonly total: number; readonly free: number; readonly unifiedSize: number }>;
  /** Allocated by llama.cpp in this process. */
  getLlamaMemoryUsage(): Promise<{ readonly gpuVram: number; readonly cpuRam: number }>;
  loadModel(options: {
    readonly modelPath: string;
    /** Layers on the graphics processor. */
    readonly gpuLayers: number;
    readonly loadSignal: AbortSignal;
    readonly onLoadProgress: (share: number) => void;
  }): Promise<LlamaModel>;
  createGrammar(options: { readonly grammar: string; readonly rootRuleName: string }): Promise<Grammar>;
  dispose(): Promise<void>;
}

interface GgufFileInfo {
  /** Only when requested. `fileOffset` is the start of the tensor. */
  readonly tensorInfo?: readonly { readonly fileOffset: number | bigint }[];
  readonly metadata: {
    readonly general?: { readonly architecture?: string; readonly name?: string; readonly file_type?: number };
    readonly tokenizer?: { readonly chat_template?: string };
  };
  readonly architectureMetadata: { readonly context_length?: number; readonly pooling_type?: unknown };
}

interface MemoryEstimate {
  readonly cpuRam: number;
  readonly gpuVram: number;
}

/** A type as GGUF files number it. */
type GgmlType = number;

export interface GgufInsights {
  /** Counts the layers of the file and the output layer. */
  readonly totalLayers: number;
  estimateModelResourceRequirementsV2(options: { readonly gpuLayers: number }): Promise<MemoryEstimate>;
  estimateContextResourceRequirementsV2(options: {
    readonly contextSize: number;
    readonly sequences: number;
    readonly batchSize: number;
    readonly modelGpuLayers: number;
    readonly flashAttention: boolean;
    readonly kvCacheKeyType: GgmlType;
    readonly kvCacheValueType: GgmlType;
  }): Promise<MemoryEstimate>;
}

interface NodeLlamaCpp {
  getLlama(options: {
    readonly gpu: GpuBackend | false;
    readonly build: 'never';
    readonly skipDownload: true;
    readonly progressLogs: false;
    readonly maxThreads: number;
    /** Bytes of the memory of graphics processors to leave free. Absent: as node-llama-cpp decides. */
    readonly vramPadding?: number;
    readonly logLevel: 'warn';
    readonly logger: (level: string, message: string) => void;
  }): Promise<Llama>;
  readGgufFileInfo(
    path: string,
    options: {
      readonly readTensorInfo: boolean;
      readonly sourceType: 'filesystem';
      readonly spliceSplitFiles: boolean;
      readonly logWarnings: false;
      readonly ignoreKeys: readonly string[];
    },
  ): Promise<GgufFileInfo>;
  readonly GgufInsights: { from(info: GgufFileInfo, llama: Llama): Promise<GgufInsights> };
  readonly GgmlType: Readonly<Record<KvCacheType, GgmlType>>;
  readonly InsufficientMemoryError: new () => Error;
  readonly LlamaGrammarEvaluationState: new (options: {
    readonly model: LlamaModel;
    readonly grammar: Grammar;
  }) => GrammarState;
}

export interface JinjaTemplate {
  render(variables: Readonly<Record<string, unknown>>): string;
}

export interface Binding {
  readonly llamaCpp: NodeLlamaCpp;
  readonly Template: new (source: string) => JinjaTemplate;
  /** Version of node-llama-cpp. */
  readonly version: string;
}

/** The packages are not installed. */
export class EngineNotInstalled extends Error {
  override readonly name = 'EngineNotInstalled';
  /** Instruction for the owner. */
  readonly remedy: string;

  constructor(directory: string, options?: ErrorOptions) {
    const remedy = engineRemedy(directory);
    super(`the built-in engine is not installed: ${remedy}`, options);
    this.remedy = remedy;
  }
}

/** @throws EngineNotInstalled when the packages cannot be found in `directory`. */
export async function loadBinding(directory: string): Promise<Binding> {
  const packages = createRequire(path.join(path.resolve(directory), 'package.json'));
  let entry: string;
  let jinja: string;
  try {
    entry = packages.resolve('node-llama-cpp');
    jinja = packages.resolve('@huggingface/jinja');
  } catch (error) {
    throw new EngineNotInstalled(path.resolve(directory), { cause: error });
  }
  const llamaCpp = (await import(pathToFileURL(entry).href)) as NodeLlamaCpp;
  const { Template } = (await import(pathToFileURL(jinja).href)) as Pick<Binding, 'Template'>;
  const manifest = packages(path.join(path.dirname(entry), '..', 'package.json')) as { readonly version: string };
  return { llamaCpp, Template, version: manifest.version };
}
