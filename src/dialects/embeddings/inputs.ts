/** `input` and `encoding_format` of an embeddings request, for the relay and for nodes. */
import { ExactNumber } from '../../kernel/exact-json.js';
import type { JsonObject } from '../../kernel/json-object.js';
import { invalidField, missingField } from '../field-checks.js';

const formats = ['float', 'base64'] as const;
export type EmbeddingFormat = (typeof formats)[number];
export type EmbeddingInput = string | readonly number[];

/** @throws FerryError 400 */
export function readFormat({ encoding_format: format }: JsonObject): EmbeddingFormat {
  const known = formats.find((one) => one === (format ?? 'float'));
  if (known === undefined) throw invalidField('encoding_format', 'must be "float" or "base64"');
  return known;
}

const EXPECTED = 'is required and must be a string, a list of strings, a list of tokens or a list of lists of tokens';

/**
 * The texts of a request, each as text or as tokens. Engines treat an empty one in different ways, some by crashing; OpenAI refuses it.
 * @throws FerryError 400 with the element at fault
 */
export function readInputs(body: JsonObject): readonly EmbeddingInput[] {
  const { input } = body;
  if (typeof input === 'string') return [checkedText(input, 'input')];
  if (!Array.isArray(input)) throw missingField(body, 'input', EXPECTED);
  const elements = input as readonly unknown[];
  const [first] = elements;
  if (first === undefined) throw invalidField('input', 'must not be an empty list');
  if (typeof first === 'string') return elements.map((element, index) => checkedText(element, `input[${index}]`));
  if (Array.isArray(first)) return elements.map((element, index) => checkedTokens(element, `input[${index}]`));
  return [checkedTokens(elements, 'input')];
}

function checkedText(value: unknown, param: string): string {
  if (typeof value !== 'string') throw invalidField(param, 'must be a string, like the first element');
  if (value === '') throw invalidField(param, 'must not be an empty string');
  return value;
}

function checkedTokens(value: unknown, param: string): readonly number[] {
  if (!Array.isArray(value)) throw invalidField(param, 'must be a list of tokens, like the first element');
  if (value.length === 0) throw invalidField(param, 'must not be an empty list');
  const wrong = value.findIndex((token) => !isToken(token));
  if (wrong !== -1) throw invalidField(`${param}[${wrong}]`, 'must be a token, which is a non-negative integer');
  return value as number[];
}

const isToken = (value: unknown): boolean =>
  (Number.isSafeInteger(value) && Number(value) >= 0) || value instanceof ExactNumber;

const BYTES_PER_FLOAT = 4;

/** 32-bit floats, little-endian, as the official clients read them. */
export function base64Of(numbers: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(numbers.length * BYTES_PER_FLOAT);
  numbers.forEach((number, position) => bytes.writeFloatLE(number, position * BYTES_PER_FLOAT));
  return bytes.toString('base64');
}
