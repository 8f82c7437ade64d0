/**
 * Checks of the fields that the spec names. Unknown fields are passed on unchanged, and null means absent
 * (docs/reference/client-protocols.md#chat-completions).
 */
import { ExactNumber } from '../kernel/exact-json.js';
import { isJsonObject, type JsonObject } from '../kernel/json-object.js';
import { FerryError } from '../kernel/errors/ferry-error.js';
import type { FieldPath } from './requirements.js';

export const invalidField = (param: FieldPath, expectation: string): FerryError =>
  new FerryError('invalid_request', `\`${param}\` ${expectation}.`, { param });

/** @throws FerryError `invalid_json` when the body is no JSON object. */
export const requireBody = (body: unknown): JsonObject => {
  if (isJsonObject(body)) return body;
  throw new FerryError('invalid_json', 'The request body must be a JSON object.');
};

/** @throws FerryError `invalid_request` */
export const requireText = (body: JsonObject, name: string): string => {
  const value = body[name];
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw invalidField(name, 'is required and must be a non-empty string');
};

/** Absent is false. @throws FerryError `invalid_request` */
export const optionalFlag = (body: JsonObject, name: string): boolean => {
  const value = body[name] ?? false;
  if (typeof value === 'boolean') return value;
  throw invalidField(name, 'must be true or false');
};

/** An {@link ExactNumber} is an integer that JavaScript cannot hold. @throws FerryError `invalid_request` */
export const checkInteger = (body: JsonObject, name: string): void => {
  const value = body[name] ?? undefined;
  if (value !== undefined && !Number.isInteger(value) && !(value instanceof ExactNumber))
    throw invalidField(name, 'must be an integer');
};

/** @throws FerryError `invalid_request` */
export const checkNumber = (body: JsonObject, name: string): void => {
  const value = body[name] ?? undefined;
  if (value !== undefined && !Number.isFinite(value) && !(value instanceof ExactNumber))
    throw invalidField(name, 'must be a number');
};

/** `stop`: one text or a list of texts. @throws FerryError `invalid_request` */
export const checkTextOrTexts = (body: JsonObject, name: string): void => {
  const value = body[name] ?? undefined;
  if (value === undefined || typeof value === 'string') return;
  if (!Array.isArray(value)) throw invalidField(name, 'must be a string or an array of strings');
  value.forEach((element: unknown, index) => {
    if (typeof element !== 'string') throw invalidField(`${name}[${String(index)}]`, 'must be a string');
  });
};
