interface ScanResult {
  /** Text without a needle and without the beginning of one. */
  readonly text: string;
  /** The first complete needle, with the text after it. */
  readonly hit?: { readonly needle: string; readonly rest: string };
}

/**
 * Finds the first of several texts in a stream. Holds back only a possible beginning of one, so that a stop text split over tokens is not
 * sent (docs/reference/client-protocols.md#chat-completions).
 */
export class TextScanner {
  private held = '';

  constructor(private readonly needles: readonly string[]) {}

  push(text: string): ScanResult {
    const all = this.held + text;
    const hit = this.firstIn(all);
    if (hit !== undefined) {
      this.held = '';
      return {
        text: all.slice(0, hit.at),
        hit: { needle: hit.needle, rest: all.slice(hit.at + hit.needle.length) },
      };
    }
    const safe = all.length - this.heldLength(all);
    this.held = all.slice(safe);
    return { text: all.slice(0, safe) };
  }

  /** The text held back, at the end of the stream. */
  flush(): string {
    const { held } = this;
    this.held = '';
    return held;
  }

  /** The needle that is complete first, so that the result does not depend on the pieces; of several the longest. */
  private firstIn(text: string): { readonly at: number; readonly needle: string } | undefined {
    let best: { readonly at: number; readonly needle: string } | undefined;
    let bestEnd = Infinity;
    for (const needle of this.needles) {
      const at = text.indexOf(needle);
      const end = at + needle.length;
      if (at < 0 || end > bestEnd || (end === bestEnd && at >= (best?.at ?? 0))) continue;
      best = { at, needle };
      bestEnd = end;
    }
    return best;
  }

  private heldLength(text: string): number {
    let longest = 0;
    for (const needle of this.needles) {
      for (let length = Math.min(needle.length - 1, text.length); length > longest; length -= 1) {
        if (needle.startsWith(text.slice(text.length - length))) {
          longest = length;
          break;
        }
      }
    }
    return longest;
  }
}
