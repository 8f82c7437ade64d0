import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CommandLine } from '../../../../test/support/cli/command-line.js';
import { ManagementApi } from './management-api.js';
import { readAtChanges } from './watch-changes.js';

let line: CommandLine;
beforeAll(async () => {
  line = await CommandLine.start();
});
afterAll(() => line.stop());

/** Reads until the feed has been opened so many times; what was said meanwhile. */
async function notesUntil(opened: number, responses: readonly ('feed' | 'gone')[]): Promise<readonly string[]> {
  let connections = 0;
  line.handle('GET /api/events', (_request, response) => {
    const result = responses[connections];
    connections += 1;
    if (result !== 'feed') response.socket?.destroy();
    else response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': ready\n\n');
  });
  const stop = new AbortController();
  const notes: string[] = [];
  const watch = { topics: ['requests'], signal: stop.signal, note: (text: string): void => void notes.push(text) };
  let reads = 0;
  const read = (): Promise<number> => Promise.resolve((reads += 1));
  for await (const count of readAtChanges(new ManagementApi({ baseUrl: line.baseUrl }), watch, read)) {
    if (count === opened) stop.abort();
  }
  return notes;
}

it('says once that the relay is gone, and that it is back', async () => {
  const [gone, back, ...others] = await notesUntil(2, ['feed', 'gone', 'gone', 'feed']);
  expect(gone).toMatch(/^cannot reach the relay at \S+( \(\w+\))?; waiting for it, until Ctrl-C$/);
  expect([back, others]).toEqual(['The relay is back.', []]);
});

it('says nothing of a feed that is only opened again', async () => {
  expect(await notesUntil(3, ['feed', 'feed', 'feed'])).toEqual([]);
});

it('fails where the relay cannot be reached at first', async () => {
  await expect(notesUntil(1, ['gone'])).rejects.toMatchObject({ code: 'relay_unreachable' });
});
