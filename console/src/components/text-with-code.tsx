/** A text of the relay, in which commands and names of programs stand between backticks. */
export function TextWithCode({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
