/**
 * Some engines silently truncate a prompt that exceeds the context. The truncation is detected by the length of the text: it cannot be as
 * few tokens as the engine reports to have read.
 */
import { isJsonObject, parseJson } from '../../../kernel/json-object.js';
import type { ChunkSource, TextResponse, EngineModel, EngineObject } from '../engine.js';
import { tooLong } from '../failures/context-refusal.js';

/** Average of common text and tokenizers; for figures in messages. */
const TYPICAL_CHARACTERS_PER_TOKEN = 4;
/** Upper bound over a whole prompt in any language or program, once runs of one character are left out. */
const MOST_CHARACTERS_PER_TOKEN = 6;
/** At twice the average the prompt was truncated. */
const IMPLAUSIBLE_CHARACTERS_PER_TOKEN = 2 * TYPICAL_CHARACTERS_PER_TOKEN;
/** Below this the prompt fits in any case, and its text is not examined. */
const LEAST_BYTES_PER_TOKEN = 2;
/** Indentation and rulers: tokenizers have one token for many of them. */
const runs = /(\s|[=\-_*#.~])\1{3,}/g;

export class PromptSize {
  private constructor(
    private readonly characters: number,
    private readonly contextTokens: number,
  ) {}

  /** Undefined for a request that certainly fits, as nearly all do. */
  static ofDoubtful(body: Buffer, model: Pick<EngineModel, 'context_length'> | undefined): PromptSize | undefined {
    const contextTokens = model?.context_length ?? null;
    if (contextTokens === null || body.length < contextTokens * LEAST_BYTES_PER_TOKEN) return undefined;
    const request = parseJson(body.toString('utf8'));
    if (!isJsonObject(request)) return undefined;
    const { messages, prompt, tools } = request;
    const characters = charactersIn([messages, prompt, tools]);
    return characters > contextTokens * TYPICAL_CHARACTERS_PER_TOKEN
      ? new PromptSize(characters, contextTokens)
      : undefined;
  }

  /** For engines that truncate. @throws EngineFailure for a prompt that cannot fit */
  refuseUnplaceable(): void {
    if (this.isUnplaceable) throw this.failure();
  }

  /** Fails the response if its usage shows a truncated prompt; for a stream that is at the last chunk. */
  check(response: TextResponse): TextResponse {
    if (response.kind === 'whole') {
      this.checkUsage(response.object);
      return response;
    }
    const { chunks } = response;
    const checked: ChunkSource = {
      // Repeated chunks have no usage.
      pipe: (take, repeated) =>
        chunks.pipe((batch) => {
          for (const chunk of batch) this.checkUsage(chunk);
          return take(batch);
        }, repeated),
    };
    return { ...response, chunks: checked };
  }

  private get isUnplaceable(): boolean {
    return this.characters > this.contextTokens * MOST_CHARACTERS_PER_TOKEN;
  }

  private checkUsage({ usage }: EngineObject): void {
    const read = isJsonObject(usage) ? usage['prompt_tokens'] : undefined;
    if (typeof read !== 'number' || read <= 0 || read > this.contextTokens) return;
    if (this.isUnplaceable || this.characters > read * IMPLAUSIBLE_CHARACTERS_PER_TOKEN) throw this.failure();
  }

  private failure() {
    const estimate = Math.round(this.characters / TYPICAL_CHARACTERS_PER_TOKEN);
    return tooLong(
      `The prompt has about ${estimate} tokens, and the engine has a context of ${this.contextTokens} tokens: it would truncate the prompt silently.`,
      { prompt_tokens: estimate, max_tokens: null, context_tokens: this.contextTokens },
    );
  }
}

/** All texts within, except media. */
function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.startsWith('data:') ? 0 : value.replace(runs, '').length;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + charactersIn(item), 0);
  if (!isJsonObject(value) || 'input_audio' in value || 'file' in value) return 0;
  return Object.values(value).reduce((sum: number, item) => sum + charactersIn(item), 0);
}
