/** A loaded model: its weights, one context with a sequence per slot, and the traits of its template. */
import type { Clock } from '../../../../kernel/clock.js';
import type { Binding, Grammar, GrammarState, Llama, LlamaContext, LlamaModel, Token } from '../binding.js';
import { contextTooShort, engineRejected, unsupportedCapability } from '../failures.js';
import { AFTER_REASONING, outputGrammar } from '../grammar/output-grammar.js';
import { OutputParser } from '../output/output-parser.js';
import type { ChatTemplate, SpecialTexts } from '../prompt/chat-template.js';
import { SpecialText } from '../prompt/special-text.js';
import { templateTraits, type TemplateTraits } from '../prompt/template-traits.js';
import type { ChatRequest } from '../request/chat-request.js';
import type { CompletionRequest } from '../request/completion-request.js';
import type { Sampling } from '../request/sampling.js';
import { sum, type ContextKind, type FreeMemory, type MemoryBytes, type ModelMemory } from '../memory.js';
import type { GenerationInput } from './generation.js';
import { afterThisTurn, inSequenceOrder } from './batch-order.js';
import { LongContexts } from './long-contexts.js';
import { ModelSequences } from './model-sequences.js';
import { sampleFirstAlone } from './sampling-order.js';
import { SequencePool } from './sequence-pool.js';
import { warmUp } from './warm-up.js';

/** Minimum for a question and its response. */
const MIN_CONTEXT_TOKENS = 256;
/**
 * Without flash attention the compute buffers grow with context and batch: 1 GiB for 131,072 tokens and a batch of 512 of a small model.
 */
const LONG_BATCH_TOKENS = 128;
/** Upper bound in practice, to refuse an oversized prompt without tokenizing all of it. */
const MAX_CHARACTERS_PER_TOKEN = 16;

export interface LoadOptions {
  readonly modelPath: string;
  readonly template: ChatTemplate;
  readonly slots: number;
  /** Per slot. Undefined: by the model and the free memory. */
  readonly contextTokens: number | undefined;
  /** Allocated per slot where `contextTokens` is undefined; longer prompts get their own context. */
  readonly sharedTokens: number;
  readonly memory: ModelMemory;
  readonly freeMemory: () => Promise<FreeMemory>;
  /** Fail when memory is short, instead of reducing the context. */
  readonly exactContext: boolean;
  readonly signal: AbortSignal;
  /** Layers on the graphics processor. */
  readonly gpuLayers: number;
  readonly kind: ContextKind;
  /** Tokens that are evaluated in one batch, over all slots. */
  readonly batchTokens: number;
  /** The share runs from 0 to 1. */
  readonly onProgress: (share: number) => void;
  /** Every second while the graphics processor is prepared. */
  readonly onPreparing: (seconds: number) => void;
  readonly clock: Clock;
}

/** The part of a generation that is independent of its sequence. */
export type PreparedResponse = Omit<GenerationInput, 'place' | 'longer' | 'signal' | 'clock'>;

export class LoadedModel {
  private constructor(
    private readonly binding: Binding,
    private readonly llama: Llama,
    private readonly model: LlamaModel,
    private readonly context: LlamaContext,
    private readonly template: ChatTemplate,
    private readonly texts: SpecialTexts,
    private readonly traits: TemplateTraits,
    private readonly specialText: SpecialText,
    private readonly specialOutput: boolean,
    readonly pool: ModelSequences,
    /** Layers on the graphics processor, and all. */
    readonly layers: { readonly onGpu: number; readonly total: number },
    /** Time that the first computations took on the graphics processor. */
    readonly preparedMs: number,
  ) {}

  /** @throws when the file is not a model, memory is short, or the signal fires */
  static async load(binding: Binding, llama: Llama, options: LoadOptions): Promise<LoadedModel> {
    const {
      modelPath,
      template,
      slots,
      contextTokens = options.sharedTokens,
      exactContext,
      signal,
      onProgress,
    } = options;
    const { gpuLayers, kind, batchTokens } = options;
    const model = await llama.loadModel({
      modelPath,
      gpuLayers,
      loadSignal: signal,
      onLoadProgress: (share) => {
        onProgress(share);
      },
    });
    try {
      const max = Math.max(MIN_CONTEXT_TOKENS, Math.min(contextTokens, model.trainContextSize));
      const context = await model.createContext({
        contextSize: { min: exactContext ? max : Math.min(MIN_CONTEXT_TOKENS, max), max },
        sequences: slots,
        batchSize: batchTokens,
        ...contextOptions(kind),
        batching: { itemPrioritizationStrategy: inSequenceOrder, dispatchSchedule: afterThisTurn },
        createSignal: signal,
      });
      sampleFirstAlone(context);
      const preparedMs = gpuLayers === 0 ? 0 : await warmUp(context, options);
      const long = options.contextTokens === undefined ? await longContextsOf(model, context, options) : undefined;
      const texts = specialTextsOf(model);
      const traits = templateTraits(template, texts);
      return new LoadedModel(
        binding,
        llama,
        model,
        context,
        template,
        texts,
        traits,
        new SpecialText(model),
        hasControlToken(model, [traits.calls?.prefix, traits.reasoning?.open, traits.reasoning?.close]),
        new ModelSequences(new SequencePool(context, slots, firstBatch(options)), context.contextSize, long),
        { onGpu: gpuLayers, total: options.memory.layers },
        preparedMs,
      );
    } catch (error) {
      await model.dispose();
      throw error;
    }
  }

  /** Tokens of prompt and answer together. */
  get contextTokens(): number {
    return this.pool.contextTokens;
  }

  /** Allocated now, contexts included. */
  get memory(): MemoryBytes {
    return sum(sum(this.model.memoryUsage, this.context.memoryUsage), this.pool.longMemory);
  }

  /** Frees the memory once the running responses have ended. */
  async retire(): Promise<void> {
    this.pool.close();
    await this.pool.drained();
    await this.pool.dispose();
    await this.context.dispose();
    await this.model.dispose();
  }

  /** @throws EngineFailure 400 when the request does not fit this model. */
  async prepareChat(request: ChatRequest): Promise<PreparedResponse> {
    const { traits } = this;
    const { toolUse } = request;
    const rendered = this.render(request);
    const { reasoning } = traits;
    const startsInReasoning = reasoning !== undefined && rendered.trimEnd().endsWith(reasoning.open);
    const calls = toolUse.tools.length > 0 ? traits.calls : undefined;
    const { whole, afterTrigger } = outputGrammar({ toolUse, format: request.format, calls });
    const grammars = await Promise.all([
      this.compile(whole, 'root'),
      this.compile(whole, AFTER_REASONING),
      this.compile(afterTrigger, 'root'),
    ]);
    const parserOptions = { reasoning, startsInReasoning, calls, stopTexts: request.stopTexts };
    return {
      ...this.base(this.tokenizePrompt(rendered), request),
      parser: () => new OutputParser(parserOptions),
      specialOutput: this.specialOutput,
      grammars: { whole: grammars[0], afterReasoning: grammars[1], afterTrigger: grammars[2] },
      reasoningEnd: reasoning?.close,
    };
  }

  /** Tokens of the prompt of a chat request, also of one that is longer than the context. @throws EngineFailure as `prepareChat` */
  countChat(request: ChatRequest): number {
    return this.tokenize(this.render(request)).length;
  }

  private render({ messages, toolUse: { tools }, templateVariables }: ChatRequest): string {
    const { traits } = this;
    if (tools.length > 0 && traits.calls === undefined) {
      throw unsupportedCapability('tools', 'the chat template of this model does not support tools');
    }
    return this.template.render(
      {
        messages: this.specialText.guard(messages),
        tools: this.specialText.guard(tools),
        addGenerationPrompt: true,
        variables: this.specialText.guard(templateVariables),
      },
      this.texts,
      traits.convention,
    );
  }

  /** Raw prompt: no template, no reasoning, no calls. */
  prepareCompletion(request: CompletionRequest): PreparedResponse {
    return {
      ...this.base(this.tokenizePrompt(request.prompt), request),
      parser: () => new OutputParser({ startsInReasoning: false, stopTexts: request.stopTexts }),
      specialOutput: false,
      grammars: {},
      reasoningEnd: undefined,
    };
  }

  private base(
    prompt: readonly Token[],
    request: { readonly sampling: Sampling; readonly maxTokens: number | undefined },
  ): Pick<PreparedResponse, 'model' | 'prompt' | 'maxTokens' | 'sampling'> {
    return {
      model: this.model,
      prompt,
      maxTokens: request.maxTokens,
      sampling: request.sampling,
    };
  }

  private tokenizePrompt(text: string): readonly Token[] {
    const tokens = this.tokenize(text);
    const room = this.contextTokens - 1;
    if (tokens.length > room) throw contextTooShort(tokens.length, this.contextTokens);
    return tokens;
  }

  private tokenize(text: string): readonly Token[] {
    const room = this.contextTokens - 1;
    const plausibleCharacters = room * MAX_CHARACTERS_PER_TOKEN;
    if (text.length > plausibleCharacters) {
      const head = this.specialText.tokenize(text.slice(0, plausibleCharacters)).length;
      const estimate = Math.round((head * text.length) / plausibleCharacters);
      if (head > room) throw contextTooShort(estimate, this.contextTokens);
    }
    return this.withBeginning(this.specialText.tokenize(text));
  }

  /** Adds the beginning-of-text token unless the template has written it. */
  private withBeginning(tokens: readonly Token[]): readonly Token[] {
    const { bos, shouldPrependBosToken } = this.model.tokens;
    const isMissing = tokens.length === 0 || (shouldPrependBosToken && tokens[0] !== bos);
    return isMissing && bos !== null ? [bos, ...tokens] : tokens;
  }

  private async compile(text: string | undefined, rootRuleName: string): Promise<(() => GrammarState) | undefined> {
    if (text === undefined) return undefined;
    let grammar: Grammar;
    try {
      grammar = await this.llama.createGrammar({ grammar: text, rootRuleName });
    } catch (error) {
      throw engineRejected(
        `llama.cpp does not support the JSON schema: ${error instanceof Error ? error.message : 'unknown reason'}`,
      );
    }
    return () => new this.binding.llamaCpp.LlamaGrammarEvaluationState({ model: this.model, grammar });
  }
}

const contextOptions = ({ flashAttention, kvCacheType }: ContextKind) => ({
  flashAttention,
  experimentalKvCacheKeyType: kvCacheType,
  experimentalKvCacheValueType: kvCacheType,
});

/**
 * A graphics processor takes a full batch in about the time of a small one; a processor, also for a few layers, may be slow, and is measured
 * first.
 */
const firstBatch = ({ gpuLayers, memory, batchTokens }: LoadOptions): number | undefined =>
  gpuLayers > 0 && gpuLayers >= memory.layers ? batchTokens : undefined;

const longContextsOf = (model: LlamaModel, shared: LlamaContext, options: LoadOptions): Promise<LongContexts> => {
  const { slots, memory, freeMemory, gpuLayers, kind, batchTokens } = options;
  const longBatchTokens = kind.flashAttention ? batchTokens : LONG_BATCH_TOKENS;
  return LongContexts.of({
    sharedTokens: shared.contextSize,
    trainTokens: model.trainContextSize,
    limit: slots,
    firstBatchTokens: firstBatch(options),
    memoryFor: (contextTokens) =>
      memory.context({ contextTokens, sequences: 1, batchTokens: longBatchTokens }, gpuLayers),
    freeMemory,
    create: (contextTokens) =>
      model.createContext({
        contextSize: { min: contextTokens, max: contextTokens },
        sequences: 1,
        batchSize: longBatchTokens,
        ...contextOptions(kind),
        createSignal: new AbortController().signal,
      }),
  });
};

const specialTextsOf = (model: Pick<LlamaModel, 'tokens'>): SpecialTexts => ({
  bos: model.tokens.bosString ?? '',
  eos: model.tokens.eosString ?? '',
});

const hasControlToken = (model: LlamaModel, texts: readonly (string | undefined)[]): boolean =>
  texts.some(
    (text) => text !== undefined && model.tokenize(text, true).some((token) => model.getTokenAttributes(token).control),
  );
