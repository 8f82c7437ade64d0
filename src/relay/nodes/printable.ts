/** Control characters, invisible format characters (bidi overrides among them), line separators and lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A text from a node as it may be shown in lists and terminals: one line, nothing invisible. Empty texts become `fallback`. */
export function printable(text: string, fallback: string): string {
  const shown = text.replace(UNPRINTABLE, '').trim();
  return shown === '' ? fallback : shown;
}
