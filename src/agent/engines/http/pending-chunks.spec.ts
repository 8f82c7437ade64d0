import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PendingChunks } from './pending-chunks.js';

const allOf = (waiting: PendingChunks): string[] => {
  const seen: string[] = [];
  for (let chunk = waiting.shift(); chunk !== undefined; chunk = waiting.shift()) seen.push(chunk.toString('latin1'));
  return seen;
};

describe('queued pieces', () => {
  it('queued pieces come out in order and complete at any size, and are counted', () => {
    const waiting = new PendingChunks();
    const chunks = Array.from({ length: 200 }, (_, at) => String(at).repeat((at * 37) % 6_000));
    for (const chunk of chunks) waiting.push(Buffer.from(chunk));
    const text = chunks.join('');
    expect(waiting.bytes).toBe(text.length);
    expect(allOf(waiting).join('')).toBe(text);
    expect(waiting.bytes).toBe(0);
  });

  it('queued pieces are merged when they are small', () => {
    const waiting = new PendingChunks();
    for (let chunk = 0; chunk < 8_000; chunk += 1) waiting.push(Buffer.from('x'));
    expect(allOf(waiting).length).toBeLessThan(5);
  });

  it('queued pieces do not change when their source buffer is overwritten', () => {
    const waiting = new PendingChunks();
    const received = Buffer.from('one');
    waiting.push(received);
    received.fill('x');
    expect(allOf(waiting)).toEqual(['one']);
  });

  it('queued pieces reuse only the memory of consumed pieces', () => {
    const waiting = new PendingChunks();
    for (const text of ['a', 'b', 'c']) waiting.push(Buffer.from(text));
    waiting.shift();
    const used = waiting.shift();
    expect(used?.toString()).toBe('bc');
    if (used !== undefined) waiting.reuse(used);
    waiting.push(Buffer.from('d'));
    const again = waiting.shift();
    expect(again?.toString()).toBe('d');
    expect(again?.buffer).toBe(used?.buffer);
  });

  it('queued pieces come out complete in any order of pushes, reads and reuse', () => {
    const step = fc.oneof(
      fc.record({ push: fc.integer({ min: 0, max: 12_000 }) }),
      fc.record({ shift: fc.constant(true), reuse: fc.boolean() }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const waiting = new PendingChunks();
        let pushed = '';
        let seen = '';
        steps.forEach((one, at) => {
          if ('push' in one) {
            const text = String.fromCharCode(97 + (at % 26)).repeat(one.push);
            pushed += text;
            waiting.push(Buffer.from(text));
            return;
          }
          const chunk = waiting.shift();
          if (chunk === undefined) return;
          seen += chunk.toString('latin1');
          if (one.reuse) waiting.reuse(chunk);
        });
        expect(waiting.bytes).toBe(pushed.length - seen.length);
        expect(seen + allOf(waiting).join('')).toBe(pushed);
      }),
    );
  });
});
