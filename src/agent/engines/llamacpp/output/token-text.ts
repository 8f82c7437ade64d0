import type { LlamaModel, Token } from '../binding.js';

/** A character of UTF-8 has at most four bytes, and no token has less than one: longer incomplete runs are not going to heal. */
const MAX_HELD_TOKENS = 4;
const REPLACEMENT = '\uFFFD';
/** Tokens before the held ones, for tokenizers that write spaces depending on what came before. */
const LOOK_BACK_TOKENS = 4;

/** Turns tokens into text one at a time, holding tokens that end inside a character. */
export class TokenText {
  private held: Token[] = [];
  private previous: Token[] = [];

  /** @param special whether control tokens become text; only where the output syntax is made of them. */
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

  /** What the held tokens give, complete or not. */
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
