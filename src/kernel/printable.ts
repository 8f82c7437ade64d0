/** Control characters, invisible format characters (bidi overrides among them), line separators and lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Removes what could rewrite a terminal or forge a line of a list or log. */
export const stripUnprintable = (text: string): string => text.replace(UNPRINTABLE, '');

/** Text from another computer as one line, with nothing invisible and no blank at either end. Empty texts become `fallback`. */
export function printable(text: string, fallback = ''): string {
  const shown = stripUnprintable(text).trim();
  return shown === '' ? fallback : shown;
}
