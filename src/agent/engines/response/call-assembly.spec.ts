import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isJsonObject, parseJson } from '../../../kernel/json-object.js';
import type { EngineObject } from '../engine.js';
import { CallAssembly } from './call-assembly.js';
import { readCallFragment } from './call-fragment.js';
import { CallIds } from './call-ids.js';

interface Made {
  readonly index: number;
  readonly id?: string;
  readonly type?: string;
  readonly function: { readonly name?: string; readonly arguments: string };
}

const fragment = (index: number | undefined, id?: string, name?: string, text?: string): EngineObject => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id, type: 'function' }),
  function: { ...(name !== undefined && { name }), ...(text !== undefined && { arguments: text }) },
});

const assemblyFor = (request = '{}'): CallAssembly => new CallAssembly(new CallIds(Buffer.from(request)));

function assemble(raws: readonly unknown[], assembly = assemblyFor()): Made[] {
  const out = raws.flatMap((raw) => {
    const read = readCallFragment(raw);
    return read === undefined ? [] : [...assembly.take(read, 0)];
  });
  return [...out, ...assembly.finish(false)] as unknown as Made[];
}

/** As a client joins them. @throws for fragments that no client could join */
function joined(made: readonly Made[]): { id: string; name: string; text: string }[] {
  const calls: { id: string; name: string; text: string }[] = [];
  for (const { index, id, type, function: called } of made) {
    const known = calls[index];
    if (known === undefined) {
      expect([index, type, typeof id, typeof called.name]).toEqual([calls.length, 'function', 'string', 'string']);
      calls.push({ id: id ?? '', name: called.name ?? '', text: called.arguments });
    } else {
      expect([id, called.name]).toEqual([undefined, undefined]);
      known.text += called.arguments;
    }
  }
  return calls;
}

describe('fragments of tool calls', () => {
  it('fragments of tool calls that are well-formed are passed on as the same objects', () => {
    const raws = [
      fragment(0, 'a', 'f', ''),
      fragment(0, undefined, undefined, '{"x"'),
      fragment(1, 'b', 'g', '{}'),
      fragment(0, undefined, undefined, ':1}'),
    ];
    const made = assemble(raws);
    expect(made).toHaveLength(raws.length);
    made.forEach((part, index) => {
      expect(part).toBe(raws[index]);
    });
  });

  it('fragments of tool calls are passed on at once, unless they may repeat an earlier call', () => {
    const assembly = assemblyFor();
    const take = (raw: EngineObject): number => assembly.take(readCallFragment(raw)!, 0).length;
    expect(take(fragment(0, 'a', 'f', '{"x":1}'))).toBe(1);
    expect(take(fragment(1, 'a', 'f', '{"x"'))).toBe(0);
    expect(take(fragment(1, 'a', undefined, ':2}'))).toBe(1);
  });

  it('fragments of tool calls keep what the engine adds to a call', () => {
    const [call] = assemble([{ ...fragment(0, undefined, 'f', '{}'), extra_content: { signature: 'x' } }]);
    expect(call).toMatchObject({ extra_content: { signature: 'x' }, type: 'function', function: { name: 'f' } });
  });

  it('fragments of tool calls begin in their order, also where one waited for its id', () => {
    const made = assemble([fragment(0, undefined, 'f', ''), fragment(1, 'b', 'g', '{}')]);
    expect(joined(made).map(({ name }) => name)).toEqual(['f', 'g']);
  });

  it('one tool call, sent whole and in fragments under other indices, stays one call', () => {
    const whole = fragment(0, 'a', 'f', '{"x":1}');
    const again = [
      fragment(3, 'a', 'f', '{"x"'),
      fragment(3, undefined, undefined, ':1}'),
      fragment(0, 'a', 'f', '{"x":1}'),
    ];
    expect(joined(assemble([whole, ...again, ...again]))).toEqual([{ id: 'a', name: 'f', text: '{"x":1}' }]);
  });

  it('fragments of tool calls that repeat the beginning of a call and end in its middle say nothing new', () => {
    expect(joined(assemble([fragment(0, 'a', 'f', '{"x":1}'), fragment(1, 'a', 'f', '{"x"')]))).toHaveLength(1);
  });

  it('fragments that repeat all arguments so far add only the new ones', () => {
    const made = assemble([
      fragment(0, 'a', 'f', '{'),
      fragment(0, 'a', 'f', '{"x"'),
      fragment(0, undefined, undefined, '{"x":"y'),
      fragment(0, 'a', undefined, '{"x":"yz"}'),
    ]);
    expect(joined(made)).toEqual([{ id: 'a', name: 'f', text: '{"x":"yz"}' }]);
  });

  it('fragments of tool calls that repeat what was sent go on behind any part of it', () => {
    const whole = '{"x":"a,b","y":[{"z":1}]}';
    const made = assemble(Array.from(whole, (_character, at) => fragment(0, 'a', 'f', whole.slice(0, at + 1))));
    expect(joined(made)).toEqual([{ id: 'a', name: 'f', text: whole }]);
  });

  it('fragments of tool calls may begin an object like the one around it', () => {
    const made = assemble([fragment(0, 'a', 'f', '{"x":'), fragment(0, undefined, undefined, '{"x":[')]);
    expect(joined(made)).toEqual([{ id: 'a', name: 'f', text: '{"x":{"x":[' }]);
  });

  it('fragments of tool calls may go on in a string with the beginning of the object', () => {
    const made = assemble([fragment(0, 'a', 'f', '{"'), fragment(0, undefined, undefined, '{":{}}')]);
    expect(joined(made)).toEqual([{ id: 'a', name: 'f', text: '{"{":{}}' }]);
  });

  it('fragments of tool calls that are a whole object are taken for all arguments, even where they may be a part', () => {
    const made = assemble([fragment(0, 'a', 'f', '{"x":'), fragment(0, undefined, undefined, '{"x":1}')]);
    expect(joined(made)).toEqual([{ id: 'a', name: 'f', text: '{"x":1}' }]);
  });

  it('fragments of tool calls that are encoded twice are arguments', () => {
    const made = assemble([fragment(0, 'a', 'f', JSON.stringify('{"x":1}')), fragment(1, 'b', 'g', '"{not"')]);
    expect(joined(made).map(({ text }) => text)).toEqual(['{"x":1}', '"{not"']);
  });

  it('fragments of tool calls may be one whole text with JSON in it, which stays a text', () => {
    const made = assemble([
      fragment(0, 'a', 'write', '{"json":'),
      fragment(0, undefined, undefined, JSON.stringify('{"x":1}')),
      fragment(0, undefined, undefined, '}'),
    ]);
    expect(joined(made)).toEqual([{ id: 'a', name: 'write', text: JSON.stringify({ json: '{"x":1}' }) }]);
  });

  it.each([
    ['no', [fragment(0, 'a', 'f')]],
    ['empty', [fragment(0, 'a', 'f', ''), fragment(0, undefined, undefined, '')]],
  ])(
    'fragments of tool calls with %s arguments have an empty object, unless the answer was cut there',
    (_what, raws) => {
      expect(joined(assemble(raws))).toEqual([{ id: 'a', name: 'f', text: '{}' }]);
      const cut = assemblyFor();
      for (const raw of raws) cut.take(readCallFragment(raw)!, 0);
      expect(cut.finish(true)).toEqual([]);
    },
  );

  it('fragments of tool calls without names fail, unless the answer was cut there', () => {
    const unnamed = fragment(0, 'a', undefined, '{"x":1}');
    expect(() => assemble([unnamed])).toThrow('without naming it');
    const cut = assemblyFor();
    cut.take(readCallFragment(unnamed)!, 0);
    expect(cut.finish(true)).toEqual([]);
  });

  it('fragments of tool calls are bounded in number and length', () => {
    const many = Array.from({ length: 600 }, (_, index) => fragment(index, `c${index}`, 'f', '{}'));
    expect(() => assemble(many)).toThrow('more than 512');
    const long = Array.from({ length: 20 }, () => fragment(0, undefined, undefined, 'x'.repeat(1_048_576)));
    expect(() => assemble([fragment(0, 'a', 'f', '{"x":"'), ...long])).toThrow('too much');
  });
});

describe('ids of tool calls', () => {
  const history = JSON.stringify({
    messages: [{ tool_calls: [{ id: 'call_0' }] }, { role: 'tool', tool_call_id: 'call_1' }, { content: 'call_2' }],
  });

  it.each([
    ['call_0', false],
    ['call_1', false],
    ['call_2', true],
    ['', false],
  ])('%j is kept: %s', (id, kept) => {
    const [call] = joined(assemble([fragment(0, id, 'f', '{}')], assemblyFor(history)));
    expect(call?.id === id).toBe(kept);
    expect(call?.id).toMatch(/^call_\w+$/);
  });
});

const text = fc
  .dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })
  .map((value) => JSON.stringify(value));

function cutAt(whole: string, cuts: readonly number[]): string[] {
  const at = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((a, b) => a - b);
  return [...at, whole.length].map((end, index) => whole.slice(index === 0 ? 0 : at[index - 1], end));
}

/** An object that begins with all that was said before it: engines that send the arguments again are believed. */
const seemsWhole = (pieces: readonly string[]): boolean =>
  pieces.some((piece, at) => {
    const before = pieces.slice(0, at).join('');
    return before !== '' && piece.startsWith(before) && isJsonObject(parseJson(piece));
  });

describe('any well-formed calls', () => {
  it('any well-formed calls are the same however their arguments are cut and mixed', () => {
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(60), { maxLength: 6 }),
        fc.boolean(),
        (texts, cuts, mixed) => {
          fc.pre(!texts.some((whole) => seemsWhole(cutAt(whole, cuts))));
          const queues = texts.map((whole, index) => [
            fragment(index, `c${index}`, `f${index}`, ''),
            ...cutAt(whole, cuts).map((part) => fragment(index, undefined, undefined, part)),
          ]);
          const longest = Math.max(...queues.map(({ length }) => length));
          const raws = mixed
            ? Array.from({ length: longest }, (_, at) => queues.flatMap((queue) => queue.slice(at, at + 1))).flat()
            : queues.flat();
          expect(joined(assemble(raws))).toEqual(
            texts.map((whole, index) => ({ id: `c${index}`, name: `f${index}`, text: whole })),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  it('any well-formed calls run once when all of them are sent again at the end', () => {
    fc.assert(
      fc.property(fc.uniqueArray(text, { minLength: 1, maxLength: 4 }), fc.nat(3), (texts, shift) => {
        const calls = texts.map((whole, index) => fragment(index, `c${index}`, 'f', whole));
        const again = texts.map((whole, index) => fragment(index + shift, `c${index}`, 'f', whole));
        expect(joined(assemble([...calls, ...again])).map((call) => call.text)).toEqual(texts);
      }),
      { numRuns: 200 },
    );
  });
});

it('any junk makes calls that clients can join, each with an id of its own', () => {
  const junk = fc.oneof(
    fc.record({
      index: fc.oneof(fc.nat(3), fc.constantFrom(null, undefined, '1', -1)),
      id: fc.constantFrom('a', 'b', '', null, 7),
      function: fc.oneof(
        fc.record({
          name: fc.constantFrom('f', 'g', '', null),
          arguments: fc.oneof(fc.constantFrom('{', '}', '{}', '{"x":1}', '"', null), fc.jsonValue({ maxDepth: 1 })),
        }),
        fc.jsonValue({ maxDepth: 1 }),
      ),
    }),
    fc.jsonValue({ maxDepth: 1 }),
  );
  fc.assert(
    fc.property(fc.array(junk, { maxLength: 12 }), (raws) => {
      const assembly = assemblyFor();
      const out = raws.flatMap((raw) => {
        const read = readCallFragment(raw);
        return read === undefined ? [] : [...assembly.take(read, 0)];
      });
      const ids = joined([...out, ...assembly.finish(true)] as unknown as Made[]).map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.every((id) => id !== '')).toBe(true);
    }),
    { numRuns: 500 },
  );
});
