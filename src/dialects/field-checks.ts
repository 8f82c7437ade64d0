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

/** Fields that make a request one of another route when its own field is not there. */
const markedRoutes: readonly (readonly [field: string, of: string, route: string])[] = [
  ['input', 'Responses', '/v1/responses'],
  ['messages', 'Chat Completions or Messages', '/v1/chat/completions or /v1/messages'],
  ['prompt', 'Completions', '/v1/completions'],
];

/**
 * The error for a request without its main field, which says so where it is a request of another route.
 * @param own the field
 */
export function missingField(body: JsonObject, own: string, expectation: string): FerryError {
  const other = markedRoutes.find(([field]) => field !== own && (body[field] ?? undefined) !== undefined);
  if (other === undefined || (body[own] ?? undefined) !== undefined) return invalidField(own, expectation);
  const [field, of, route] = other;
  return invalidField(own, `${expectation}. \`${field}\` belongs to a ${of} body: send it to ${route}`);
}

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

/** Clients spell an absent field also as null, as false and as nothing in it. */
export const hasEffect = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
