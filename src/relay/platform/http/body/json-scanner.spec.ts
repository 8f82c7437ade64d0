import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonScanner, type JsonProblem } from './json-scanner.js';

const unlimited = { depthLimit: 1_000_000, tokenLimit: 1_000_000 };

function scan(
  text: string | Buffer,
  limits: Partial<typeof unlimited> = {},
  cuts: readonly number[] = [],
): JsonProblem | undefined {
  const bytes = Buffer.from(text);
  const scanner = new JsonScanner({ ...unlimited, ...limits });
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.byteLength + 1))), bytes.byteLength].sort((a, b) => a - b);
  let start = 0;
  let problem: JsonProblem | undefined;
  for (const end of ends) {
    problem = scanner.feed(bytes.subarray(start, end));
    start = end;
  }
  return problem;
}

/** What the scanner must agree with: the parsed value. */
function shapeOf(value: unknown): { depth: number; tokens: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, tokens: 0 };
  const children = Object.values(value).map(shapeOf);
  const separators = Math.max(0, children.length - 1) + (Array.isArray(value) ? 0 : children.length);
  return {
    depth: 1 + Math.max(0, ...children.map((child) => child.depth)),
    tokens: 2 + separators + children.reduce((sum, child) => sum + child.tokens, 0),
  };
}

const awkwardString = fc.string({
  unit: fc.constantFrom('"', '\\', '{', '[', ']', '}', ',', ':', 'a', '\n', 'é', '漢', '😀'),
  maxLength: 200,
});
const json = fc
  .jsonValue({ maxDepth: 6, stringUnit: 'grapheme' })
  .chain((value) => awkwardString.map((text) => ({ value, text, [text]: [text] })));

describe('JsonScanner', () => {
  it('counts exactly, in any portions', () => {
    fc.assert(
      fc.property(json, fc.array(fc.nat(), { maxLength: 12 }), fc.boolean(), (value, cuts, pretty) => {
        const text = JSON.stringify(value, undefined, pretty ? 2 : undefined);
        const { depth, tokens } = shapeOf(JSON.parse(text));
        expect(scan(text, { depthLimit: depth, tokenLimit: tokens }, cuts)).toBeUndefined();
        expect(scan(text, { depthLimit: depth - 1 }, cuts)).toBe('too_deep');
        expect(scan(text, { tokenLimit: tokens - 1 }, cuts)).toBe('too_many_tokens');
      }),
      { numRuns: 300 },
    );
  });

  it('keeps track of strings when split at every byte', () => {
    const text = String.raw`{"a\\":"\"[[[[","\\\"{{{{":["é😀\\\\","]]]]"],"${'x'.repeat(150)}\"[":"${'\\\\'.repeat(40)}"}`;
    JSON.parse(text);
    for (let cut = 0; cut <= Buffer.byteLength(text); cut += 1) {
      expect(scan(text, { depthLimit: 2 }, [cut])).toBeUndefined();
      expect(scan(text, { depthLimit: 1 }, [cut])).toBe('too_deep');
    }
    expect(
      scan(
        text,
        { depthLimit: 2 },
        Array.from({ length: 600 }, (_none, cut) => cut),
      ),
    ).toBeUndefined();
  });

  it('accepts any bytes, with equal results in portions', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), fc.array(fc.nat(), { maxLength: 20 }), (bytes, cuts) => {
        const limits = { depthLimit: 5, tokenLimit: 20 };
        expect(scan(Buffer.from(bytes), limits, cuts)).toBe(scan(Buffer.from(bytes), limits));
      }),
    );
  });

  it('accepts 64 levels and refuses the 65th', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(scan(nested(64), { depthLimit: 64 })).toBeUndefined();
    expect(scan(nested(65), { depthLimit: 64 })).toBe('too_deep');
  });

  it('stops at the first problem', () => {
    const scanner = new JsonScanner({ depthLimit: 2, tokenLimit: 100 });
    expect(scanner.feed(Buffer.from('[[['))).toBe('too_deep');
    expect(scanner.feed(Buffer.from(']]]'))).toBe('too_deep');
  });
});
