import { describe, expect, test } from '@jest/globals';
import type { ToolCallFragment } from './engine-chunk.js';
import { MAX_TOOL_CALLS, ToolCallSlots } from './tool-call-slots.js';

type Fragment = Partial<ToolCallFragment>;

/** The arguments of each call that the fragments make, one chunk for each fragment. */
function callsOf(fragments: readonly Fragment[]): string[] {
  const calls: { text: string }[] = [];
  const slots = new ToolCallSlots(() => {
    const call = { text: '' };
    calls.push(call);
    return call;
  });
  for (const fragment of fragments) {
    const whole = { index: null, id: '', name: '', arguments: '', ...fragment };
    const call = slots.callOf(whole, 0);
    if (call !== undefined) call.text += whole.arguments;
  }
  return calls.map(({ text }) => text);
}

describe('matching of fragments to tool calls', () => {
  test.each<[string, readonly Fragment[], readonly string[]]>([
    [
      'as OpenAI has it',
      [
        { index: 0, id: 'a', name: 'f' },
        { index: 0, arguments: '{' },
        { index: 1, id: 'b', name: 'g' },
        { index: 0, arguments: '}' },
      ],
      ['{}', ''],
    ],
    [
      'by id, where there is no index',
      [
        { id: 'a', name: 'f', arguments: '{' },
        { id: 'b', name: 'g' },
        { id: 'a', arguments: '}' },
      ],
      ['{}', ''],
    ],
    ['the last one, where there is nothing', [{ name: 'f', arguments: '{' }, { arguments: '}' }], ['{}']],
    ['another name is another call', [{ name: 'f' }, { name: 'g', arguments: '{}' }], ['', '{}']],
    [
      'another id with the same index',
      [
        { index: 0, id: 'a', name: 'f', arguments: '{}' },
        { index: 0, id: 'b', name: 'f' },
        { index: 0, arguments: '{"b":1}' },
      ],
      ['{}', '{"b":1}'],
    ],
    [
      'the same id and index, but more than one object',
      [
        { index: 0, id: 'a', name: 'f', arguments: '{}' },
        { index: 0, id: 'a', name: 'f', arguments: '{}' },
      ],
      ['{}', '{}'],
    ],
    [
      'name and id repeated',
      [
        { index: 0, id: 'a', name: 'f', arguments: '{' },
        { index: 0, id: 'a', name: 'f', arguments: '}' },
        { index: 0, id: 'a', name: 'f' },
      ],
      ['{}'],
    ],
    [
      'a new id in every fragment',
      [
        { index: 0, id: 'a', name: 'f', arguments: '{' },
        { index: 0, id: 'b', arguments: '}' },
      ],
      ['{}'],
    ],
    [
      'a name that comes late',
      [
        { index: 0, arguments: '{' },
        { index: 0, name: 'f', arguments: '}' },
      ],
      ['{}'],
    ],
  ])('%s', (_, fragments, expected) => {
    expect(callsOf(fragments)).toEqual(expected);
  });

  test('calls of one chunk are matched by position', () => {
    const opened: ToolCallFragment[] = [];
    const slots = new ToolCallSlots((fragment) => opened.push(fragment));
    const fragment = { index: null, id: '', name: 'f', arguments: '{}' };
    expect([slots.callOf(fragment, 0), slots.callOf(fragment, 1)]).toEqual([1, 2]);
  });

  test('the number of tracked calls is bounded', () => {
    const fragments = Array.from({ length: MAX_TOOL_CALLS + 1 }, (_, index) => ({
      index,
      id: String(index),
      name: 'f',
    }));
    expect(callsOf(fragments)).toHaveLength(MAX_TOOL_CALLS);
  });
});
