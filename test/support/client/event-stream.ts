/** Reads a server-sent event stream as it arrives: what a client sees, and when. */
export interface TimedEvent {
  /** The lines of one event without the blank line after it; a comment counts as a separate event. */
  readonly text: string;
  readonly atMs: number;
}

export async function* eventsOf(response: Response): AsyncGenerator<TimedEvent> {
  if (response.body === null) throw new Error('the response has no body');
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(chunk, { stream: true });
    const parts = rest.split('\n\n');
    rest = parts.pop() ?? '';
    const atMs = performance.now();
    for (const text of parts) yield { text, atMs };
  }
  if (rest !== '') throw new Error(`the stream ended inside an event: ${rest.slice(0, 200)}`);
}

export async function allEvents(response: Response): Promise<string[]> {
  const texts: string[] = [];
  for await (const { text } of eventsOf(response)) texts.push(text);
  return texts;
}

/** The JSON of every `data:` event except `[DONE]`. */
export const dataOf = (events: readonly string[]): Record<string, unknown>[] =>
  events
    .filter((event) => event.startsWith('data: ') && event !== 'data: [DONE]')
    .map((event) => JSON.parse(event.slice('data: '.length)) as Record<string, unknown>);
