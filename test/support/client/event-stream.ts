/** Reads a server-sent event stream as it arrives: what a client sees, and when. */
export interface TimedEvent {
  /** The lines of one event without the blank line after it; a comment counts as a separate event. */
  readonly text: string;
  readonly atMs: number;
}

/** A body that breaks off after an error event has ended: the client has been told why. @throws the client's error where it breaks off before */
export async function* eventsOf(response: Response): AsyncGenerator<TimedEvent> {
  if (response.body === null) throw new Error('the response has no body');
  const decoder = new TextDecoder();
  let rest = '';
  let failed = false;
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      rest += decoder.decode(chunk, { stream: true });
      const parts = rest.split('\n\n');
      rest = parts.pop() ?? '';
      const atMs = performance.now();
      for (const text of parts) {
        failed = text.startsWith('data: {"error"');
        yield { text, atMs };
      }
    }
  } catch (error) {
    if (!failed || rest !== '') throw error;
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

/** The bytes of a body that breaks off, as a failed stream does on chat and completions. @throws Error when it ends */
export async function cutTextOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
      text += decoder.decode(chunk, { stream: true });
  } catch {
    return text;
  }
  throw new Error(`the body ended: ${text.slice(-500)}`);
}

/** Of a stream that breaks off, as {@link cutTextOf}. */
export const cutEventsOf = async (response: Response): Promise<string[]> =>
  (await cutTextOf(response)).split('\n\n').filter((text) => text !== '');
