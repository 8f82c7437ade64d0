import { describe, expect, it } from '@jest/globals';
import { readEvents } from './event-reader.js';

/** A body that sends these chunks and stays open. */
function openBody(...chunks: readonly string[]): { body: ReadableStream<Uint8Array>; isCancelled: () => boolean } {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
    },
    cancel: () => {
      cancelled = true;
    },
  });
  return { body, isCancelled: () => cancelled };
}

describe('the reader of an event stream', () => {
  it('yields events that arrive in several chunks, and reports each chunk', async () => {
    const { body, isCancelled } = openBody('event: change\nda', 'ta: 1\n\n: comment\n\n');
    let chunks = 0;
    const events = readEvents(body, { signals: [], onBytes: () => (chunks += 1) });
    expect((await events.next()).value).toMatchObject({ event: 'change', data: '1' });
    expect(chunks).toBe(2);
    await events.return(undefined);
    expect(isCancelled()).toBe(true);
  });

  it('ends with the reason of a signal while it waits, although fetch does not end the body', async () => {
    const { body, isCancelled } = openBody();
    const stop = new AbortController();
    const next = readEvents(body, { signals: [new AbortController().signal, stop.signal] }).next();
    stop.abort(new Error('stopped'));
    await expect(next).rejects.toThrow('stopped');
    expect(isCancelled()).toBe(true);
  });

  it('the reader of an event stream does not read for a signal that was aborted before', async () => {
    const { body } = openBody('data: 1\n\n');
    await expect(readEvents(body, { signals: [AbortSignal.abort(new Error('stopped'))] }).next()).rejects.toThrow(
      'stopped',
    );
  });
});
