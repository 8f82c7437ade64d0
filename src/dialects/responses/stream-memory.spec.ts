import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { StreamMemory } from './stream-memory.js';

const textOf = (bytes: Uint8Array | null): string | null => (bytes === null ? null : Buffer.from(bytes).toString());

const watched = (...chunks: (string | Buffer)[]): { first: string | null; last: string | null } => {
  const memory = new StreamMemory();
  for (const chunk of chunks) {
    const bytes = Buffer.from(chunk);
    memory.watch(bytes);
    // The link's message is used again.
    bytes.fill(0);
  }
  return { first: textOf(memory.first), last: textOf(memory.last) };
};

const created = 'event: response.created\ndata: {"sequence_number":0}\n\n';

describe('retained parts of a responses stream', () => {
  test('retained parts of a responses stream are empty at first', () => {
    expect(watched()).toEqual({ first: null, last: null });
  });

  test('retained parts of a responses stream are the first event and the last bytes', () => {
    const delta = `event: x\ndata: {"delta":"${'ä'.repeat(500)}","sequence_number":2}\n\n`;
    const { first, last } = watched(`${created}event: y\ndata: {}\n\n`, delta);
    expect(first).toBe(created);
    expect(last).toHaveLength(128 - (Buffer.byteLength(last ?? '') - (last ?? '').length));
    expect(delta.endsWith((last ?? '').slice(1))).toBe(true);
  });

  test('retained parts of a responses stream do not depend on chunking', () => {
    const text = `${created}${'event: x\ndata: {"sequence_number":1}\n\n'.repeat(9)}data: [DONE]\n\n`;
    const cuts = fc.array(fc.nat(text.length), { maxLength: 12 });
    fc.assert(
      fc.property(cuts, (at) => {
        const edges = [0, ...at.sort((a, b) => a - b), text.length];
        const chunks = edges.slice(1).map((end, index) => text.slice(edges[index], end));
        expect(watched(...chunks.filter((chunk) => chunk !== ''))).toEqual({ first: created, last: text.slice(-128) });
      }),
    );
  });

  test('exclude an incomplete first event', () => {
    expect(watched(created.slice(0, -1))).toMatchObject({ first: null });
    expect(watched(created.slice(0, -1), '\n')).toMatchObject({ first: created });
  });

  test('exclude an oversized first event, and are bounded', () => {
    const long = `data: {"instructions":"${'x'.repeat(70_000)}"}\n\n`;
    expect(watched(long, created)).toMatchObject({ first: null, last: long.slice(-128 + created.length) + created });
    const fits = `data: ${'x'.repeat(65_536 - 8)}\n\n`;
    expect(watched(fits.slice(0, 40_000), fits.slice(40_000)).first).toBe(fits);
    expect(watched(`x${fits}`).first).toBeNull();
  });
});
