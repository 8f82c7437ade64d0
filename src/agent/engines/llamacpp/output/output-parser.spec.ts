import { describe, expect, it } from '@jest/globals';
import type { CallSyntax } from './call-syntax.js';
import type { OutputEvent } from './output-event.js';
import { OutputParser, type OutputParserOptions } from './output-parser.js';

const reasoning = { open: '<think>', close: '</think>' };
const marked: CallSyntax = {
  trigger: '<tool_call>',
  onlyAtStart: false,
  prefix: '<tool_call>\n{"name": "',
  nameToArguments: '", "arguments": ',
  suffix: '}\n</tool_call>',
  close: '',
};
const bare: CallSyntax = { ...marked, trigger: '{"name": "', onlyAtStart: true, prefix: '{"name": "', suffix: '}' };

/** Reads a text in pieces the way a generation does when no grammar takes over. */
function read(options: Partial<OutputParserOptions>, text: string, size: number) {
  const parser = new OutputParser({ startsInReasoning: false, stopTexts: [], ...options });
  const events: OutputEvent[] = [];
  const push = (chunk: string): string | undefined => {
    const step = parser.push(chunk);
    events.push(...step.events);
    if (step.boundary !== undefined && step.boundary.excess !== '') return push(step.boundary.excess);
    return step.stopText;
  };
  let stopText: string | undefined;
  for (let index = 0; index < text.length && stopText === undefined; index += size)
    stopText = push(text.slice(index, index + size));
  if (stopText === undefined) events.push(...parser.flush());
  const textOf = (kind: OutputEvent['kind']): string =>
    events.map((event) => (event.kind === kind && 'text' in event ? event.text : '')).join('');
  return {
    reasoning: textOf('reasoning'),
    content: textOf('content'),
    calls: events.flatMap((event) => (event.kind === 'call' ? [event.name] : [])),
    arguments: textOf('arguments'),
    stopText,
  };
}

describe.each([1, 3, 1_000])('output parser, in pieces of %i characters', (size) => {
  const nothing = { reasoning: '', content: '', calls: [], arguments: '', stopText: undefined };

  it('treats text as content', () => {
    expect(read({ reasoning }, ' Hello <b>you</b>', size)).toEqual({ ...nothing, content: ' Hello <b>you</b>' });
  });

  it('separates reasoning from the answer and trims it', () => {
    const expected = { ...nothing, reasoning: 'First,\n\nI  think.', content: 'Then I say.\n' };
    expect(read({ reasoning }, '\n<think>\nFirst,\n\nI  think.\n</think>\n\nThen I say.\n', size)).toEqual(expected);
    expect(read({ reasoning, startsInReasoning: true }, 'First,\n\nI  think.</think>Then I say.\n', size)).toEqual(
      expected,
    );
  });

  it('yields truncated reasoning and unfinished markers', () => {
    expect(read({ reasoning }, '<think>So</thi', size)).toEqual({ ...nothing, reasoning: 'So</thi' });
    expect(read({ reasoning }, '<thi', size)).toEqual({ ...nothing, content: '<thi' });
  });

  it('treats a later reasoning marker as content', () => {
    expect(read({ reasoning }, 'a <think>b</think>', size)).toMatchObject({
      content: 'a <think>b</think>',
      reasoning: '',
    });
  });

  it('finds a call after text and reasoning', () => {
    const text = '<think>hm</think>\nLet me see.<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>';
    expect(read({ reasoning, calls: marked }, text, size)).toEqual({
      ...nothing,
      reasoning: 'hm',
      content: 'Let me see.',
      calls: ['add'],
      arguments: '{"a": 1}',
    });
  });

  it('finds a call without a marker only at the beginning', () => {
    const call = '{"name": "add", "arguments": {"a": 1}}';
    expect(read({ calls: bare }, call, size)).toMatchObject({ calls: ['add'], content: '' });
    expect(read({ calls: bare, reasoning }, `<think>hm</think>\n\n${call}`, size)).toMatchObject({ calls: ['add'] });
    expect(read({ calls: bare }, `see ${call}`, size)).toMatchObject({ calls: [], content: `see ${call}` });
    expect(read({ calls: bare }, '{"nam": 1}', size)).toMatchObject({ calls: [], content: '{"nam": 1}' });
  });

  it('treats a call as text when the request has no tools', () => {
    expect(read({}, '<tool_call>x', size)).toMatchObject({ content: '<tool_call>x', calls: [] });
  });

  it('applies stop texts to content, not to reasoning or arguments', () => {
    const stopTexts = ['END', '"a"'];
    expect(read({ stopTexts }, 'one ENtwo END three', size)).toEqual({
      ...nothing,
      content: 'one ENtwo ',
      stopText: 'END',
    });
    expect(read({ stopTexts, reasoning }, '<think>END</think>xEND', size)).toMatchObject({
      reasoning: 'END',
      content: 'x',
    });
    const call = '<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>';
    expect(read({ stopTexts, calls: marked }, call, size)).toMatchObject({
      arguments: '{"a": 1}',
      stopText: undefined,
    });
  });
});

describe('boundaries of the output parser', () => {
  it('stops after the trigger of a call with the text beyond it', () => {
    const parser = new OutputParser({ startsInReasoning: false, stopTexts: [], calls: marked });
    expect(parser.push('Well <tool_call>{"n')).toEqual({
      events: [{ kind: 'content', text: 'Well ' }],
      boundary: { kind: 'calls', excess: '{"n' },
    });
  });

  it('stops at the end of the reasoning', () => {
    const parser = new OutputParser({ startsInReasoning: true, reasoning, stopTexts: [] });
    expect(parser.inReasoning).toBe(true);
    expect(parser.push('so</think>\n\n{')).toEqual({
      events: [{ kind: 'reasoning', text: 'so' }],
      boundary: { kind: 'reasoning-end', excess: '\n\n{' },
    });
  });

  it('reports when the output is still ambiguous', () => {
    const parser = new OutputParser({ startsInReasoning: false, reasoning, stopTexts: [] });
    parser.push('\n<thi');
    expect(parser.undecided).toBe(true);
    parser.push('s');
    expect(parser.undecided).toBe(false);
  });
});
