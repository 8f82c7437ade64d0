/** Grammar rules of JSON. Whitespace is bounded, because a model at temperature 0 can otherwise repeat it without end. */
import type { GrammarRules } from './grammar-rules.js';

export const whitespace = (rules: GrammarRules): string => rules.define('ws', String.raw`| " " | "\n" [ \t]{0,20}`);

const character = (rules: GrammarRules): string =>
  rules.define('char', String.raw`[^"\\\x7F\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4})`);

/** The quotation mark as a terminal. */
export const quote = String.raw`"\""`;

/** llama.cpp refuses grammars with larger repetitions. */
const MAX_REPETITIONS = 1_000;

export function jsonString(rules: GrammarRules, minLength = 0, maxLength?: number): string {
  const least = Math.min(Math.max(0, minLength), MAX_REPETITIONS);
  const most = maxLength === undefined || maxLength > MAX_REPETITIONS ? '' : String(Math.max(least, maxLength));
  const name = `string${least === 0 && most === '' ? '' : `-${least}-${most}`}`;
  const repetition = least === 0 && most === '' ? '*' : `{${least},${most}}`;
  return rules.define(name, `${quote} ${character(rules)}${repetition} ${quote}`);
}

/** As long as integers of 64 bits, which ids of databases are. */
export const jsonInteger = (rules: GrammarRules, signed = true): string =>
  rules.define(signed ? 'integer' : 'natural', `${signed ? '"-"? ' : ''}("0" | [1-9] [0-9]{0,19})`);

export const jsonNumber = (rules: GrammarRules, signed = true): string =>
  rules.define(
    signed ? 'number' : 'positive-number',
    `${jsonInteger(rules, signed)} ("." [0-9]{1,16})? ([eE] [-+]? [0-9]{1,3})?`,
  );

export const jsonBoolean = (rules: GrammarRules): string => rules.define('boolean', '"true" | "false"');

export const jsonNull = '"null"';

/** Any JSON value, object or array. */
export function anyJson(rules: GrammarRules): {
  readonly value: string;
  readonly object: string;
  readonly array: string;
} {
  const ws = whitespace(rules);
  const string = jsonString(rules);
  // The three refer to each other by name.
  const [value, object, array] = ['value', 'object', 'array'];
  rules.define(object, `"{" ${ws} (${string} ":" ${ws} ${value} ("," ${ws} ${string} ":" ${ws} ${value})*)? ${ws} "}"`);
  rules.define(array, `"[" ${ws} (${value} ("," ${ws} ${value})*)? ${ws} "]"`);
  rules.define(value, [object, array, string, jsonNumber(rules), jsonBoolean(rules), jsonNull].join(' | '));
  return { value, object, array };
}

const digits = (count: number): string => `[0-9]{${count}}`;
const date = `${digits(4)} "-" ("0" [1-9] | "1" [0-2]) "-" ("0" [1-9] | [1-2] [0-9] | "3" [0-1])`;
const time =
  '([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9] ":" [0-5] [0-9] ("." [0-9]{1,6})? ("Z" | [+-] [0-9]{2} ":" [0-9]{2})';

/** Enforced string formats; others are plain strings. */
export const stringFormats: Readonly<Record<string, string>> = {
  date,
  time,
  'date-time': `${date} "T" ${time}`,
  uuid: [8, 4, 4, 4, 12].map((count) => `[0-9a-fA-F]{${count}}`).join(' "-" '),
};
