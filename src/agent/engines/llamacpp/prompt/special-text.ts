/**
 * Keeps what clients write from being read as control tokens: a document that contains `<|im_end|>` must not end the user's turn.
 * Before rendering, such texts are framed with two characters that Unicode reserves for internal use; after rendering, framed pieces are
 * tokenized as plain text and everything else, which is the template's own, with its control tokens.
 */
import type { LlamaModel, Token } from '../binding.js';

const OPEN = '\uFDD0';
const CLOSE = '\uFDD1';
const framed = /\uFDD0([^\uFDD0\uFDD1]*)\uFDD1/;

const escapeForPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

export class SpecialText {
  private readonly pattern: RegExp | undefined;

  constructor(
    private readonly model: Pick<LlamaModel, 'tokenize' | 'detokenize' | 'iterateAllTokens' | 'getTokenAttributes'>,
  ) {
    const texts = [...controlTexts(model)].sort((a, b) => b.length - a.length).map(escapeForPattern);
    this.pattern = texts.length === 0 ? undefined : new RegExp(texts.join('|'), 'g');
  }

  /** The value with every text in it framed where it spells a control token. */
  guard<Value>(value: Value): Value {
    const { pattern } = this;
    return pattern === undefined ? value : (guardDeep(value, pattern) as Value);
  }

  tokenize(rendered: string): Token[] {
    // The pieces at odd indexes are the contents of the frames.
    const chunks = rendered.split(framed);
    if (chunks.length === 1) return this.model.tokenize(rendered, true);
    const tokens: Token[] = [];
    chunks.forEach((chunk, index) => {
      if (chunk === '') return;
      for (const token of this.model.tokenize(chunk, index % 2 === 0, index === 0 ? undefined : 'trimLeadingSpace'))
        tokens.push(token);
    });
    return tokens;
  }
}

function* controlTexts(
  model: Pick<LlamaModel, 'detokenize' | 'iterateAllTokens' | 'getTokenAttributes'>,
): Iterable<string> {
  for (const token of model.iterateAllTokens()) {
    if (!model.getTokenAttributes(token).control) continue;
    const text = model.detokenize([token], true);
    if (text.trim() !== '') yield text;
  }
}

function guardDeep(value: unknown, pattern: RegExp): unknown {
  const frame = (text: string): string => text.replace(pattern, `${OPEN}$&${CLOSE}`);
  if (typeof value === 'string') return frame(value);
  if (Array.isArray(value)) return value.map((item: unknown) => guardDeep(item, pattern));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [frame(key), guardDeep(item, pattern)]));
}
