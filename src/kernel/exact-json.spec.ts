import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ExactNumber, parseExact, parseExactOrNothing, renderExact, stringifyExact } from './exact-json.js';
import { isJsonObject } from './json-object.js';

const echo = (text: string): string => stringifyExact(parseExact(text));

describe('numbers that JavaScript cannot hold', () => {
  it.each([
    '{"id":1234567890123456789}',
    '[-9223372036854775808,9223372036854775807]',
    '{"tools":[{"parameters":{"maximum":18446744073709551615,"multipleOf":0.10,"exclusiveMinimum":1E-7}}]}',
    '{"input":{"ratio":1.0,"list":[2.50,{"deep":-0.0}]},"after":1}',
    '{"text":"1234567890123456789 \\"input\\": 1.0","id":12345678901234567890}',
    '{"schema": 1.0}',
  ])('numbers that JavaScript cannot hold keep their digits: %s', (text) => {
    expect(echo(text).replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
  });

  it('numbers that JavaScript cannot hold keep them inside a text that is JSON itself', () => {
    const value = parseExact('{"input":{"id":1234567890123456789}}') as { input: unknown };
    expect(echo(stringifyExact({ arguments: stringifyExact(value.input) }))).toBe(
      String.raw`{"arguments":"{\"id\":1234567890123456789}"}`,
    );
  });

  it('numbers that JavaScript cannot hold are neither objects nor numbers, and are rounded where nobody asks for their digits', () => {
    const value = parseExact('{"id":1234567890123456789}') as { id: unknown };
    expect(value.id).toBeInstanceOf(ExactNumber);
    expect(isJsonObject(value.id)).toBe(false);
    expect(JSON.stringify(value)).toBe('{"id":1234567890123456800}');
    expect(String(value.id)).toBe('1234567890123456789');
  });
});

describe('numbers that JavaScript holds', () => {
  it('numbers that JavaScript holds are numbers, whatever their spelling, where the relay reads them', () => {
    expect(parseExact('{"temperature":1.0,"top_p":0.90,"seed":42,"max_tokens":1e2}')).toEqual({
      temperature: 1,
      top_p: 0.9,
      seed: 42,
      max_tokens: 100,
    });
  });

  it('numbers that JavaScript holds keep their spelling in a text that belongs to a tool', () => {
    expect(stringifyExact(parseExact('{"ratio":1.0,"n":[1e3]}', true))).toBe('{"ratio":1.0,"n":[1e3]}');
  });
});

it('refuses what is not JSON, also where the numbers are long', () => {
  for (const text of ['{12345678901234567890:1}', '[012345678901234567890]', '[12345678901234567890.]', 'NaN', '']) {
    expect(() => parseExact(text)).toThrow(SyntaxError);
    expect(parseExactOrNothing(text)).toBeUndefined();
  }
});

it('reads every JSON as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.stringify(parseExact(text))).toBe(text);
      expect(stringifyExact(value)).toBe(text);
    }),
  );
});

describe('numbers that other code writes', () => {
  const value = parseExact('{"parameters":{"most":9223372036854775807,"step":1.0},"n":1,"text":"1.0"}');

  it('numbers that other code writes have all of their digits, as JSON, as text and between quotes of its own', () => {
    const render = ({
      parameters,
      n,
      text,
    }: {
      parameters: Record<string, unknown>;
      n: number;
      text: string;
    }): string =>
      `${JSON.stringify(parameters)} ${String(parameters['most'])} '${String(parameters['step'])}' ${String(n + 1)} '${text}'`;
    expect(renderExact(value as Parameters<typeof render>[0], render)).toBe(
      `{"most":9223372036854775807,"step":1.0} 9223372036854775807 1.0 2 '1.0'`,
    );
  });

  it('change nothing where there are none', () => {
    const plain = { list: [1, 2.5, '"3"'], none: undefined };
    let seen: unknown;
    expect(renderExact(plain, (given) => ((seen = given), '"1"'))).toBe('"1"');
    expect(seen).toBe(plain);
  });
});
