import { hash } from 'node:crypto';

/** A beginning of a prompt, which other prompts may share. */
export interface PromptPrefix {
  readonly hash: string;
  /** Approximate length. */
  readonly tokens: number;
}

/**
 * Lengths of the prefixes that are hashed, in characters. The steps grow, so that a long prompt has few of them and the longest common one
 * is at least half of what two prompts really share. What is shorter saves too little prefill to be worth an entry; what is longer
 * would cost as much as parsing the prompt.
 */
const LENGTHS = [512, 1_024, 1_536, 2_048, 3_072, 4_096, 6_144, 8_192, 12_288, 16_384, 24_576, 32_768];
const CHARACTERS_PER_TOKEN = 4;

/** Hashes the beginnings of a text that is given piece by piece. Each hash is chained to the one before, so no character is hashed twice. */
export class PrefixHashes {
  /** Longest first. */
  readonly prefixes: PromptPrefix[] = [];
  private waiting = '';
  private done = 0;

  /** The rest of the text makes no difference. */
  get full(): boolean {
    return this.prefixes.length === LENGTHS.length;
  }

  add(text: string): void {
    for (let from = 0; from < text.length;) {
      const length = LENGTHS[this.prefixes.length];
      if (length === undefined) return;
      const chunk = text.slice(from, from + length - this.done - this.waiting.length);
      this.waiting += chunk;
      from += chunk.length;
      if (this.done + this.waiting.length === length) this.close(length);
    }
  }

  private close(length: number): void {
    const before = this.prefixes[0]?.hash ?? '';
    this.prefixes.unshift({
      hash: hash('sha1', before + this.waiting, 'base64'),
      tokens: length / CHARACTERS_PER_TOKEN,
    });
    this.done = length;
    this.waiting = '';
  }
}
