/** Grammars as llama.cpp reads them: which texts they let through whole. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseExact } from '../../../../kernel/exact-json.js';
import { EngineFailure } from '../../engine.js';
import { loadBinding, type Llama } from '../binding.js';
import type { CallSyntax } from '../output/call-syntax.js';
import type { ToolUse } from '../request/chat-tools.js';
import { AFTER_REASONING, outputGrammar } from './output-grammar.js';

const noTools: ToolUse = { tools: [], mode: 'auto', parallel: true };
const calls: CallSyntax = {
  trigger: '<tool_call>',
  onlyAtStart: false,
  prefix: '<tool_call>\n{"name": "',
  nameToArguments: '", "arguments": ',
  suffix: '}\n</tool_call>',
  separator: '\n<tool_call>\n{"name": "',
  close: '',
};
const tool = (name: string, parameters: unknown) => ({ name, parameters, declaration: {} });
const add = tool('add', {
  type: 'object',
  properties: { a: { type: 'integer' }, b: { type: 'integer' } },
  required: ['a'],
});

describe('output grammar', () => {
  let llama: Llama;
  beforeAll(async () => {
    const { llamaCpp } = await loadBinding(path.resolve('engines/llamacpp'));
    const quiet = { maxThreads: 1, logLevel: 'warn', logger: () => undefined } as const;
    llama = await llamaCpp.getLlama({ gpu: false, build: 'never', skipDownload: true, progressLogs: false, ...quiet });
  }, 60_000);
  afterAll(async () => {
    await llama.dispose();
  });

  /** node-llama-cpp's own test hook; true when the text is a whole sentence of the grammar. */
  const accepts = async (grammar: string | undefined, text: string, rootRuleName = 'root'): Promise<boolean> => {
    if (grammar === undefined) throw new Error('expected a grammar');
    const compiled = (await llama.createGrammar({ grammar, rootRuleName })) as { _testText(text: string): boolean };
    return compiled._testText(text);
  };
  const schemaGrammar = (schema: unknown) =>
    outputGrammar({ toolUse: noTools, format: { schema }, calls: undefined }).whole;
  const valid = (schema: unknown, value: unknown) => accepts(schemaGrammar(schema), JSON.stringify(value));

  const person = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      age: { type: ['integer', 'null'], minimum: 0 },
      tags: { type: 'array', items: { enum: ['a', 2] } },
    },
    required: ['age'],
  };

  it.each<[unknown, unknown[], unknown[]]>([
    [
      person,
      [{ age: 3 }, { name: 'x"\n', age: null }, { name: '', age: 0, tags: ['a', 2] }, { age: 1, tags: [] }],
      [{}, { name: 'x' }, { age: 1.5 }, { age: '1' }, { age: 1, more: 1 }, { age: 1, tags: ['b'] }],
    ],
    [
      { type: 'object', properties: { a: {}, b: {} } },
      [{}, { a: 1 }, { b: [null] }, { a: 1, b: { c: 1 } }],
      [{ b: 1, a: 1 }, { c: 1 }, []],
    ],
    [
      { type: 'object', properties: { a: { type: 'null' } }, additionalProperties: { type: 'number' } },
      [{}, { a: null }, { a: null, x: 1, y: -2.5e3 }, { x: 1 }],
      [{ x: '1' }],
    ],
    [{ type: 'object', properties: {}, additionalProperties: false }, [{}], [{ a: 1 }]],
    [{ type: 'object' }, [{}, { a: { b: [1, true, null, 'x'] } }], [[], 1]],
    [
      { type: 'array', items: { type: 'boolean' }, minItems: 2, maxItems: 3 },
      [
        [true, false],
        [true, true, true],
      ],
      [[true], [true, true, true, true], [1, 2]],
    ],
    [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] }, [['a', 1]], [['a'], [1, 'a']]],
    [{ anyOf: [{ type: 'string', maxLength: 2 }, { const: 5 }] }, ['ab', 5], ['abc', 6]],
    [
      {
        type: 'object',
        properties: { k: { type: 'string' } },
        oneOf: [{ required: ['k'] }, { properties: { n: { type: 'integer' } }, required: ['n'] }],
      },
      [{ k: 'x' }, { n: 1 }, { k: 'x', n: 1 }],
      [{}],
    ],
    [
      {
        allOf: [
          { type: 'object', properties: { a: { const: 1 } }, required: ['a'] },
          { properties: { b: { const: 2 } }, required: ['b'] },
        ],
      },
      [{ a: 1, b: 2 }],
      [{ a: 1 }],
    ],
    [{ type: 'string', format: 'date' }, ['2026-01-31'], ['2026-13-01', 'today']],
    [
      {
        $ref: '#/$defs/node',
        $defs: {
          node: {
            type: 'object',
            properties: { next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
            required: ['next'],
          },
        },
      },
      [{ next: null }, { next: { next: { next: null } } }],
      [{}, { next: 1 }],
    ],
    [true, [1, 'x', null, { a: [] }], []],
  ])('output grammar of the schema %j', async (schema, right, wrong) => {
    for (const value of right) expect([value, await valid(schema, value)]).toEqual([value, true]);
    for (const value of wrong) expect([value, await valid(schema, value)]).toEqual([value, false]);
  });

  it('accepts JSON with the white space that models write', async () => {
    const grammar = schemaGrammar(person);
    expect(await accepts(grammar, '{ "name": "x",\n  "age": 3\n}')).toBe(true);
    expect(await accepts(grammar, `{${' '.repeat(50)}"age": 3}`)).toBe(false);
  });

  it('requires every digit of a constant, and counts in any spelling', async () => {
    const schema = parseExact(
      '{"type":"object","properties":{"id":{"const":9007199254740993},"of":{"enum":[1234567890123456789,"x"]},' +
        '"tags":{"type":"array","items":{"type":"integer","minimum":0.0},"maxItems":1e0}},"required":["id"]}',
      true,
    );
    const grammar = schemaGrammar(schema);
    expect(await accepts(grammar, '{"id":9007199254740993,"of":1234567890123456789,"tags":[7]}')).toBe(true);
    expect(await accepts(grammar, '{"id":9007199254740992}')).toBe(false);
    expect(await accepts(grammar, '{"id":9007199254740993,"of":1234567890123456800}')).toBe(false);
    expect(await accepts(grammar, '{"id":9007199254740993,"tags":[7,8]}')).toBe(false);
    expect(await accepts(grammar, '{"id":9007199254740993,"tags":[-7]}')).toBe(false);
  });

  it('lets ids of 64 bits through, and nothing without end', async () => {
    const grammar = schemaGrammar({ type: 'integer' });
    for (const text of ['9223372036854775807', '-9223372036854775808', '18446744073709551615'])
      expect([text, await accepts(grammar, text)]).toEqual([text, true]);
    expect(await accepts(grammar, '1'.repeat(21))).toBe(false);
  });

  it('allows only blank lines after reasoning', async () => {
    const grammar = schemaGrammar({ const: 1 });
    expect(await accepts(grammar, '\n\n1', AFTER_REASONING)).toBe(true);
    expect(await accepts(grammar, 'so 1', AFTER_REASONING)).toBe(false);
    expect(await accepts(grammar, '\n\n1')).toBe(false);
  });

  it('leaves an unconstrained answer free', () => {
    expect(outputGrammar({ toolUse: noTools, format: undefined, calls })).toEqual({});
  });

  it('constrains one or several calls after their trigger', async () => {
    const input = {
      format: undefined,
      calls,
      toolUse: { tools: [add, tool('now', undefined)], mode: 'auto', parallel: true },
    } as const;
    const { whole, afterTrigger } = outputGrammar(input);
    expect(whole).toBeUndefined();
    const first = '\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>';
    const second = '\n<tool_call>\n{"name": "now", "arguments": {"anything": []}}\n</tool_call>';
    expect(await accepts(afterTrigger, first)).toBe(true);
    expect(await accepts(afterTrigger, first + second)).toBe(true);
    expect(await accepts(afterTrigger, first.replace('"a"', '"c"'))).toBe(false);
    expect(await accepts(afterTrigger, first.replace('add', 'sub'))).toBe(false);
    const single = outputGrammar({ ...input, toolUse: { ...input.toolUse, parallel: false } }).afterTrigger;
    expect(await accepts(single, first)).toBe(true);
    expect(await accepts(single, first + second)).toBe(false);
  });

  it('requires an object for arguments, also without declared parameters', async () => {
    for (const parameters of [undefined, null, {}, { properties: { a: {} } }]) {
      const toolUse = { tools: [tool('f', parameters)], mode: 'required', parallel: true } as const;
      const { whole } = outputGrammar({ format: undefined, calls, toolUse });
      const call = (value: string) => `<tool_call>\n{"name": "f", "arguments": ${value}}\n</tool_call>`;
      expect(await accepts(whole, call('{"a": 1}'))).toBe(true);
      expect(await accepts(whole, call('1'))).toBe(false);
    }
  });

  it('requires a call, or allows it beside JSON', async () => {
    const call = '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2}}\n</tool_call>';
    const required = outputGrammar({
      format: undefined,
      calls,
      toolUse: { tools: [add], mode: 'required', parallel: true },
    });
    expect(await accepts(required.whole, call)).toBe(true);
    expect(await accepts(required.whole, 'Hello')).toBe(false);
    const either = outputGrammar({
      format: { schema: { const: 1 } },
      calls,
      toolUse: { tools: [add], mode: 'auto', parallel: true },
    });
    expect(await accepts(either.whole, call)).toBe(true);
    expect(await accepts(either.whole, '1')).toBe(true);
  });

  it('builds a grammar for schemas with unusual strings', async () => {
    const schema = {
      type: 'object',
      properties: { 'a"\\\n\u0001é': { enum: ['"]', '\u0000\t'] } },
      required: ['a"\\\n\u0001é'],
    };
    expect(await valid(schema, { 'a"\\\n\u0001é': '\u0000\t' })).toBe(true);
  });

  it('refuses endless and oversized schemas', () => {
    let deep: unknown = { type: 'string' };
    for (let level = 0; level < 200; level += 1) deep = { type: 'array', items: deep };
    const wide = {
      anyOf: Array.from({ length: 5_000 }, (_, index) => ({ type: 'object', properties: { [`p${index}`]: {} } })),
    };
    const endless: Record<string, unknown> = { allOf: [{ $ref: '#' }] };
    for (const schema of [deep, wide, endless]) {
      const action = () => schemaGrammar(schema);
      expect(action).toThrow(EngineFailure);
      expect(action).toThrow(/schema/);
    }
  });

  it('refuses a self-referencing $ref', async () => {
    const grammar = schemaGrammar({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } });
    await expect(accepts(grammar, '1')).rejects.toThrow();
  });
});
