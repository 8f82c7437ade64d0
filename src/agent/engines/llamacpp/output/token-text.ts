import type { LlamaModel, Token } from '../binding.js';

/** A UTF-8 character has at most four bytes and a token at least one, so a longer incomplete run stays invalid. */
const MAX_HELD_TOKENS = 4;
const REPLACEMENT = '\uFFFD';
/** Tokens before the held ones, for tokenizers whose spaces depend on preceding tokens. */
const LOOK_BACK_TOKENS = 4;

/** Incremental detokenizer, which holds tokens that end inside a character. */
export class TokenText {
  private held: Token[] = [];
  private previous: Token[] = [];

  /** @param special whether control tokens become text, for output syntax that uses them */
  constructor(
    private readonly model: Pick<LlamaModel, 'detokenize'>,
    private readonly special: boolean,
  ) {}

  push(token: Token): string {
    this.held.push(token);
    const text = this.model.detokenize(this.held, this.special, this.previous);
    if (text.endsWith(REPLACEMENT) && this.held.length < MAX_HELD_TOKENS) return '';
    this.advance();
    return text;
  }

  /** The text of the held tokens, complete or not. */
  flush(): string {
    if (this.held.length === 0) return '';
    const text = this.model.detokenize(this.held, this.special, this.previous);
    this.advance();
    return text;
  }

  private advance(): void {
    this.previous = [...this.previous, ...this.held].slice(-LOOK_BACK_TOKENS);
    this.held = [];
  }
}
