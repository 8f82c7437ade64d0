/** Parses the error formats of all engines (docs/reference/stream-transport.md#errors-inside-a-stream). */
import { isJsonObject, parseJson } from '../../../kernel/json-object.js';
import { isFirstHalf } from '../../../kernel/well-formed-text.js';

export interface ParsedError {
  readonly message: string;
  /** An HTTP status that the error names inside its own body, as llama.cpp and vLLM do. */
  readonly status: number | null;
  readonly param: string | null;
  /** The `type` of the error, and its `code` if that is a string. */
  readonly kinds: readonly string[];
  /** The error's `code`, if it looks like one. */
  readonly code: string | null;
  /** llama.cpp's sizes of a request that does not fit, in tokens. */
  readonly promptTokens: number | null;
  readonly contextTokens: number | null;
}

/** An error with a message only. */
export const plainError = (message: string, status: number | null = null): ParsedError => ({
  message,
  status,
  param: null,
  kinds: [],
  code: null,
  promptTokens: null,
  contextTokens: null,
});

/** Limit of messages for clients; the link allows 4,000 characters. */
const MESSAGE_LIMIT_CHARACTERS = 2_000;
const PARAM_LIMIT_CHARACTERS = 200;
const CODE = /^[A-Za-z][\w.-]{0,63}$/;

/** The error in a parsed answer or event; undefined when it is none. */
export function parseEngineError(value: unknown): ParsedError | undefined {
  if (!isJsonObject(value)) return undefined;
  const { error } = value;
  // Ollama gives what its runner said as a text with JSON in it.
  if (typeof error === 'string' && error !== '') return nestedError(error) ?? asError(error, value);
  if (isJsonObject(error)) return asError(error['message'] ?? error['error'] ?? error['type'], error);
  if (error === true || Array.isArray(error)) return asError(value['message'], value);
  // vLLM before 0.10 had no envelope, and FastAPI's own responses still have another one.
  if (value['object'] === 'error') return asError(value['message'], value);
  if ('detail' in value && !('choices' in value)) return asError(detailText(value['detail']), value);
  return undefined;
}

/** Text for people: bounded, on one line, without control characters that could forge log lines or terminals. */
export function readable(text: string): string {
  const clean = text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return clean.length > MESSAGE_LIMIT_CHARACTERS ? `${cut(clean, MESSAGE_LIMIT_CHARACTERS)}…` : clean;
}

/** Not within a surrogate pair. */
const cut = (text: string, characters: number): string =>
  text.slice(0, isFirstHalf(text.charCodeAt(characters - 1)) ? characters - 1 : characters);

function asError(message: unknown, details: Record<string, unknown>): ParsedError {
  const { code, status, param, type } = details;
  const numeric = [status, code].find(
    (candidate): candidate is number =>
      Number.isInteger(candidate) && Number(candidate) >= 400 && Number(candidate) <= 599,
  );
  return {
    message:
      typeof message === 'string' && message !== ''
        ? readable(validationWords(message))
        : 'The engine reported an error without a message.',
    status: numeric ?? null,
    param:
      typeof param === 'string' && param !== '' ? cut(fieldPath(param.toWellFormed()), PARAM_LIMIT_CHARACTERS) : null,
    kinds: [type, code].filter((kind) => typeof kind === 'string'),
    code: typeof code === 'string' && CODE.test(code) ? code : null,
    promptTokens: tokens(details['n_prompt_tokens']),
    contextTokens: tokens(details['n_ctx']),
  };
}

const tokens = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;

function nestedError(text: string): ParsedError | undefined {
  if (!text.startsWith('{')) return undefined;
  const value = parseJson(text);
  // One level only: the recursion ends at a nested text.
  return isJsonObject(value) && isJsonObject(value['error']) ? parseEngineError(value) : undefined;
}

/** FastAPI: a text, or a list of `{ loc, msg }`. */
function detailText(detail: unknown): unknown {
  if (!Array.isArray(detail)) return detail;
  const messages = detail.map((entry: unknown) => (isJsonObject(entry) ? entry['msg'] : entry));
  return messages.filter((message) => typeof message === 'string').join('; ');
}

/** vLLM passes on Pydantic's description of a request in this form. */
const fault = /'loc': '(?<loc>[^']*)', 'msg': (?:'(?<single>(?:[^'\\]|\\.)*)'|"(?<double>(?:[^"\\]|\\.)*)")/g;
/** A request may have as many faults as elements. */
const MAX_FAULTS = 5;

/** Behind vLLM's own words, which name both already. */
const parameter = / \(parameter=[\w.]{1,200}(?:, value=[^()]{0,200})?\)$/;

/** The message for people; itself when it is none of Pydantic's or vLLM's. */
function validationWords(message: string): string {
  if (!/^\d+ validation errors?:/.test(message)) return message.replace(parameter, '');
  const faults: string[] = [];
  for (const { groups } of message.matchAll(fault)) {
    if (faults.length === MAX_FAULTS) break;
    faults.push(`${fieldPath(groups?.['loc'] ?? '')}: ${groups?.['single'] ?? groups?.['double'] ?? ''}`);
  }
  return faults.length === 0 ? message : faults.join('; ');
}

/** `body.tools.0.function` in the form of the protocols: `tools[0].function`. */
const fieldPath = (loc: string): string =>
  loc.startsWith('body.') ? loc.slice('body.'.length).replace(/\.(\d+)(?=\.|$)/g, '[$1]') : loc;
