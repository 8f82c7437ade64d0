/**
 * Names of nodes, models and errors come from other computers: control characters in them could rewrite the terminal.
 * C0 and C1 controls and the invisible marks that reverse the reading direction become U+FFFD.
 */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
