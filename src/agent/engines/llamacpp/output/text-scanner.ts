export interface ScanResult {
  /** Text that is certain to contain none of the needles, nor the beginning of one. */
  readonly text: string;
  /** The needle that was complete first, with what followed it. */
  readonly hit?: { readonly needle: string; readonly rest: string };
}

/**
 * Finds the first of several texts in a stream and holds back only what could still become one, so that a stop text split over tokens
 * never shows (docs/reference/client-protocols.md#chat-completions). Retains less than the longest needle.
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

  /** What was held back, when nothing more comes. */
  flush(): string {
    const { held } = this;
    this.held = '';
    return held;
  }

  /** The one that is complete first, so that it does not matter how the text was split; of several at once the longest. */
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
