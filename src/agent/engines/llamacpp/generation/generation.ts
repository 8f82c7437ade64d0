/** One answer, generated token by token as its consumer reads; computation is one token ahead of it at most. */
import type { Clock } from '../../../../kernel/clock.js';
import type { EvaluateOptions, GrammarState, LlamaModel, LlamaSequence, Token } from '../binding.js';
import type { FinishReason, GenerationUsage, OutputEvent } from '../output/output-event.js';
import type { Boundary, OutputParser } from '../output/output-parser.js';
import { TokenText } from '../output/token-text.js';
import type { Sampling } from '../request/sampling.js';
import { abortable } from './abortable.js';
import { sequenceNumber } from './batch-order.js';
import type { BatchTurns } from './batch-turns.js';
import { prefill } from './prefill.js';

/** Tokens considered by the repetition penalties. */
const PENALTY_WINDOW_TOKENS = 256;

/** Each returns a new state. Absent without constraints. */
interface ResponseGrammars {
  /** From the first token of the response. */
  readonly whole?: (() => GrammarState) | undefined;
  /** For the same response after reasoning. */
  readonly afterReasoning?: (() => GrammarState) | undefined;
  /** After the trigger of an optional tool call. */
  readonly afterTrigger?: (() => GrammarState) | undefined;
}

/** The sequence of a response. */
export interface GenerationPlace {
  readonly sequence: LlamaSequence;
  /** Tokens of the prompt that the sequence already holds. */
  readonly cachedTokens: number;
  readonly maxBatchTokens: number;
  /** Undefined: the usual one. */
  readonly firstBatchTokens: number | undefined;
  /** All responses in the same context share it. */
  readonly turns: BatchTurns;
}

export interface GenerationInput {
  readonly model: Pick<LlamaModel, 'detokenize' | 'tokenize' | 'isEogToken'>;
  readonly place: GenerationPlace;
  readonly prompt: readonly Token[];
  /** A longer sequence for a response that has filled its own, if available. */
  readonly longer?: (state: readonly Token[]) => Promise<GenerationPlace | undefined>;
  /** Undefined: until the model ends its turn or the context is full. */
  readonly maxTokens: number | undefined;
  readonly sampling: Sampling;
  /** Returns a new parser. */
  readonly parser: () => OutputParser;
  /** Whether control tokens become text, for models that mark calls or reasoning with them. */
  readonly specialOutput: boolean;
  readonly grammars: ResponseGrammars;
  /** End marker of optional reasoning, which a constrained answer must neither prevent nor force. */
  readonly reasoningEnd: string | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

type Tokens = ReturnType<LlamaSequence['evaluate']>;

export class Generation {
  private work: Promise<unknown> = Promise.resolve();
  private readonly generated: Token[] = [];
  private grammar: GrammarState | undefined;
  private reasoningTokens = 0;
  private readonly parser: OutputParser;
  private place: GenerationPlace;

  constructor(private readonly input: GenerationInput) {
    this.parser = input.parser();
    this.place = input.place;
  }

  /** Usage so far, without a token that was computed when the signal fired. */
  get usage(): GenerationUsage {
    const { prompt, place } = this.input;
    return {
      promptTokens: prompt.length,
      cachedTokens: place.cachedTokens,
      completionTokens: this.generated.length,
      reasoningTokens: this.reasoningTokens,
    };
  }

  /** Other answers do not wait for this one any more, and it computes nothing that has not begun. Idempotent. */
  leave(): void {
    this.place.turns.leave(this);
  }

  /** Resolves when llama.cpp has released the sequence. */
  async settled(): Promise<void> {
    await this.work.catch(() => undefined);
  }

  /**
   * Yields the events of each token, usually one; the last event of the last step is `finish`.
   * @throws the signal's reason as soon as it fires; the current batch still completes (see `settled`)
   */
  async *run(): AsyncGenerator<readonly OutputEvent[], void, undefined> {
    const { input, parser } = this;
    let head = await this.watched(this.prefill(input.prompt));
    if (input.grammars.whole !== undefined && !parser.inReasoning) {
      const mayReason = input.reasoningEnd !== undefined;
      if (!mayReason || !(await this.watched(this.peekReasoning(head)))) this.grammar = input.grammars.whole();
      if (mayReason) head = input.prompt.slice(-1);
    }
    const text = new TokenText(input.model, input.specialOutput);
    let tokens = this.place.sequence.evaluate(head, this.evaluateOptions());
    let pending = this.next(tokens);
    try {
      for (;;) {
        const next = await this.watched(pending);
        if (next.done === true) throw new Error('the generation ended without an end-of-turn token');
        const ended = this.accept(next.value);
        const remaining = ended ? this.pendingResponse() : undefined;
        if (ended && remaining === undefined) {
          yield this.finish(parser.completeCalls > 0 ? 'tool_calls' : 'stop', text.flush());
          return;
        }
        const step = remaining ?? this.read(text.push(next.value));
        if (step.stopText !== undefined) {
          yield [...step.events, ...this.finish('stop', '', step.stopText)];
          return;
        }
        if (this.generated.length >= (input.maxTokens ?? Infinity)) {
          yield [...step.events, ...this.finish('length', text.flush())];
          return;
        }
        if (!this.isFull(step.replacement)) {
          pending = this.next(tokens, step.replacement);
          // The consumer would delay the batch, which begins before the event loop goes on.
          await nextTurn();
          yield step.events;
          continue;
        }
        yield step.events;
        const state = [...this.place.sequence.contextTokens, ...(step.replacement ?? [next.value])];
        // The sequence may be replaced meanwhile.
        await this.watched(tokens.return());
        const longer = await this.watched(this.moveOn(state));
        if (longer === undefined) {
          yield this.finish('length', text.flush());
          return;
        }
        tokens = longer;
        pending = this.next(tokens);
      }
    } finally {
      this.leave();
      // The generator is suspended, or busy with a batch after an abort: this ends it and frees its sampler.
      this.work = this.work.catch(() => undefined).then(() => tokens.return());
      if (!input.signal.aborted) await this.work;
    }
  }

  /** Whether the next tokens do not fit. Checked here, because the binding would silently drop the oldest tokens. */
  private isFull(next?: readonly Token[]): boolean {
    const { sequence } = this.place;
    return sequence.nextTokenIndex + (next?.length ?? 1) >= sequence.contextSize;
  }

  /** Begins to compute the next token, which its caller may await later. */
  private next(tokens: Tokens, replacement?: Token[]): Promise<IteratorResult<Token, void>> {
    const { turns } = this.place;
    const next = turns.ask(this, () => (replacement === undefined ? tokens.next() : tokens.next(replacement)));
    this.work = next;
    // A failure until then must not end the process.
    next.catch(() => undefined);
    return next;
  }

  private async prefill(state: readonly Token[]): Promise<readonly Token[]> {
    const { signal, clock } = this.input;
    const { sequence, cachedTokens, maxBatchTokens, firstBatchTokens, turns } = this.place;
    const turn = (compute: () => Promise<void>): Promise<void> => turns.ask(this, compute);
    return prefill(sequence, state.slice(cachedTokens), { maxBatchTokens, firstBatchTokens, signal, clock, turn });
  }

  /** Moves to a longer sequence and evaluates all tokens there again. Undefined when there is none. */
  private async moveOn(state: readonly Token[]): Promise<Tokens | undefined> {
    const place = await this.input.longer?.(state);
    if (place === undefined) return undefined;
    this.leave();
    this.place = place;
    return place.sequence.evaluate(await this.prefill(state), this.evaluateOptions());
  }

  /**
   * Whether the unconstrained model begins with reasoning; restores the state to the prompt without its last token. Needed because a
   * grammar with reasoning as an alternative makes models reason that would not have done so.
   */
  private async peekReasoning(head: readonly Token[]): Promise<boolean> {
    const { prompt, model, specialOutput, signal } = this.input;
    const { sequence } = this.place;
    const parser = this.input.parser();
    const text = new TokenText(model, specialOutput);
    const tokens = sequence.evaluate(head, this.evaluateOptions());
    for await (const token of tokens) {
      if (model.isEogToken(token)) break;
      parser.push(text.push(token));
      if (!parser.undecided || this.isFull()) break;
      signal.throwIfAborted();
    }
    await sequence.eraseContextTokenRanges([{ start: prompt.length - 1, end: sequence.nextTokenIndex }]);
    return parser.inReasoning;
  }

  /** Counts a sampled token. True when it ends the turn. */
  private accept(token: Token): boolean {
    this.generated.push(token);
    if (this.parser.inReasoning) this.reasoningTokens += 1;
    return this.input.model.isEogToken(token);
  }

  /**
   * Parses the text of one token. Where a grammar starts within it, the unconstrained rest is undone: `replacement` goes into the state
   * instead of the token.
   */
  private read(chunk: string): {
    readonly events: readonly OutputEvent[];
    readonly stopText: string | undefined;
    readonly replacement: Token[] | undefined;
  } {
    const events: OutputEvent[] = [];
    let unread = chunk;
    for (;;) {
      const { events: more, stopText, boundary } = this.parser.push(unread);
      events.push(...more);
      if (boundary === undefined) return { events, stopText, replacement: undefined };
      const grammar = this.grammar === undefined ? this.grammarBehind(boundary) : undefined;
      if (grammar !== undefined) {
        this.grammar = grammar;
        const kept = chunk.slice(0, chunk.length - boundary.excess.length);
        const replacement =
          boundary.excess === '' ? undefined : this.input.model.tokenize(kept, true, 'trimLeadingSpace');
        return { events, stopText, replacement };
      }
      unread = boundary.excess;
    }
  }

  /**
   * For a model that ends its turn inside its reasoning although the request requires a response: replaces the end of the turn by the end
   * marker of the reasoning.
   */
  private pendingResponse(): ReturnType<Generation['read']> | undefined {
    const { reasoningEnd, grammars, model } = this.input;
    if (reasoningEnd === undefined || grammars.afterReasoning === undefined || !this.parser.inReasoning)
      return undefined;
    return { ...this.read(reasoningEnd), replacement: model.tokenize(reasoningEnd, true, 'trimLeadingSpace') };
  }

  private grammarBehind({ kind }: Boundary): GrammarState | undefined {
    const { grammars } = this.input;
    return kind === 'calls' ? grammars.afterTrigger?.() : grammars.afterReasoning?.();
  }

  private finish(reason: FinishReason, rest: string, metBefore?: string): readonly OutputEvent[] {
    const last = rest === '' ? { events: [], stopText: undefined } : this.read(rest);
    const flushed = last.stopText === undefined ? this.parser.flush() : [];
    const stopText = metBefore ?? last.stopText;
    return [
      ...last.events,
      ...flushed,
      {
        kind: 'finish',
        reason: stopText === undefined ? reason : 'stop',
        stopText,
        usage: this.usage,
      },
    ];
  }

  private watched<Value>(work: Promise<Value>): Promise<Value> {
    this.work = work;
    return abortable(work, this.input.signal);
  }

  private evaluateOptions(): EvaluateOptions {
    const { sampling } = this.input;
    const penalized =
      sampling.repetitionPenalty !== 1 || sampling.frequencyPenalty !== 0 || sampling.presencePenalty !== 0;
    return {
      temperature: sampling.temperature,
      topK: sampling.topK,
      topP: sampling.topP,
      minP: sampling.minP,
      seed: sampling.seed,
      grammarEvaluationState: () => this.grammar,
      yieldEogToken: true,
      evaluationPriority: sequenceNumber(this.place.sequence),
      ...(penalized && {
        repeatPenalty: {
          punishTokens: () => this.generated.slice(-PENALTY_WINDOW_TOKENS),
          maxPunishTokens: PENALTY_WINDOW_TOKENS,
          penalty: sampling.repetitionPenalty,
          frequencyPenalty: sampling.frequencyPenalty,
          presencePenalty: sampling.presencePenalty,
        },
      }),
    };
  }
}
