/**
 * Text of a model as it streams to a terminal. Line ends and tabs are the model's to write; every other control character could rewrite
 * the window, so it is shown as U+FFFD. Into a pipe it goes as it is.
 */
export const streamedText = (text: string): string =>
  text.replace(/(?![\n\t])[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
