export interface TextPart {
  readonly text: string;
  readonly isCode: boolean;
}

/** The parts of a text in which commands and names of programs stand between backticks. A backtick without its pair is an ordinary character. */
export function codeParts(text: string): readonly TextPart[] {
  const parts = text.split('`');
  // The last one has no pair: it belongs to the text around it.
  const paired = parts.length % 2 === 1 ? parts : [...parts.slice(0, -2), parts.slice(-2).join('`')];
  return paired.map((part, index) => ({ text: part, isCode: index % 2 === 1 })).filter((part) => part.text !== '');
}
