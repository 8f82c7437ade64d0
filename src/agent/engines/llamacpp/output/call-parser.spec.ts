import { describe, expect, it } from '@jest/globals';
import { CallParser } from './call-parser.js';
import type { CallSyntax } from './call-syntax.js';
import type { OutputEvent } from './output-event.js';

const marked: CallSyntax = {
  trigger: '<tool_call>',
  onlyAtStart: false,
  prefix: '<tool_call>\n{"name": "',
  nameToArguments: '", "arguments": ',
  suffix: '}\n</tool_call>',
  separator: '\n<tool_call>\n{"name": "',
  close: '',
};
const listed: CallSyntax = {
  trigger: '[TOOL_CALLS]',
  onlyAtStart: false,
  prefix: '[TOOL_CALLS] [{"name": "',
  nameToArguments: '", "arguments": ',
  suffix: '}',
  separator: ', {"name": "',
  close: ']',
};

const readInChunks = (syntax: CallSyntax, text: string, size: number) => {
  const parser = new CallParser(syntax, syntax.prefix.slice(syntax.trigger.length));
  const calls: { name: string; arguments: string }[] = [];
  const add = (event: OutputEvent): void => {
    if (event.kind === 'call') calls.push({ name: event.name, arguments: '' });
    const last = calls.at(-1);
    if (event.kind === 'arguments' && last !== undefined) last.arguments += event.text;
  };
  for (let index = 0; index < text.length; index += size) parser.push(text.slice(index, index + size)).forEach(add);
  return { calls, complete: parser.completeCalls };
};

describe('call parser', () => {
  it.each([1, 2, 3, 7, 1_000])('parses two calls with one marker each, in pieces of %i characters', (size) => {
    const text =
      '\n{"name": "get_weather", "arguments": {"city": "}\\"{", "days": [1, {"a": 2}]}}\n</tool_call>' +
      '\n<tool_call>\n{"name": "add", "arguments": {}}\n</tool_call>';
    expect(readInChunks(marked, text, size)).toEqual({
      calls: [
        { name: 'get_weather', arguments: '{"city": "}\\"{", "days": [1, {"a": 2}]}' },
        { name: 'add', arguments: '{}' },
      ],
      complete: 2,
    });
  });

  it.each([1, 5, 1_000])('parses a list of calls, in pieces of %i characters', (size) => {
    const text = ' [{"name": "a", "arguments": {"x": 1}}, {"name": "b", "arguments": {"y": "]"}}]';
    expect(readInChunks(listed, text, size).calls).toEqual([
      { name: 'a', arguments: '{"x": 1}' },
      { name: 'b', arguments: '{"y": "]"}' },
    ]);
  });

  it('streams arguments', () => {
    const parser = new CallParser(marked, '\n{"name": "');
    expect(parser.push('\n{"name": "add", "argum')).toEqual([]);
    expect(parser.push('ents": {"a"')).toEqual([
      { kind: 'call', name: 'add' },
      { kind: 'arguments', text: '{"a"' },
    ]);
    expect(parser.push(': 1}}')).toEqual([{ kind: 'arguments', text: ': 1}' }]);
  });

  it('ignores a call with truncated arguments', () => {
    expect(readInChunks(marked, '\n{"name": "add", "arguments": {"a": 1', 4).complete).toBe(0);
  });
});
