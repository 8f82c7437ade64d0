/** Search parameters as plain text: `?q=12` is the text "12", and what is empty or undefined is left out of the URL. */
export type PageSearch = Readonly<Record<string, string | undefined>>;

export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string' && value !== '') parameters.set(name, value);
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
