/**
 * Probes of an engine: GETs limited in time and size, which cannot make it load a model
 * (docs/reference/inventory.md#loaded-means-resident).
 */
import { isJsonObject, parseJson } from '../../../kernel/json-object.js';
import type { EngineModel } from '../engine.js';
import type { EngineHttp } from './engine-http.js';
import { listIn, type Probe, type ProbeResponse } from './fingerprint.js';
import { parseEngineError } from '../failures/error-parser.js';

const PROBE_TIMEOUT_MS = 4_000;
const SERVICE_UNAVAILABLE = 503;
const PROBE_LIMIT_BYTES = 8 * 1024 * 1024;

/** Requests that an engine has now, whoever sent them. */
export interface EngineLoad {
  readonly running: number;
  readonly waiting: number;
}

/** State of an engine at one moment. */
export interface EngineSnapshot {
  readonly version: string | null;
  readonly models: readonly EngineModel[];
  /** The recognised kind, where the adapter serves engines of several kinds. Absent: the adapter's own kind. */
  readonly kind?: string;
  /** How many requests the engine says that it runs at once. Absent: it does not say. */
  readonly slots?: number;
  /** Absent: the engine does not tell. */
  readonly load?: EngineLoad | undefined;
}

/** The engine answers, but not with its models. The message completes "<address> …", for people. */
export class UnusableEngineError extends Error {
  override readonly name: string = 'UnusableEngineError';
}

/** The engine answers that its model is on the way into memory: llama-server started with one model says so to everything. */
export class EngineLoadingError extends UnusableEngineError {
  override readonly name = 'EngineLoadingError';
}

export const probeOf =
  (http: EngineHttp): Probe =>
  (path) =>
    http.get(path, PROBE_TIMEOUT_MS, PROBE_LIMIT_BYTES);

/** The JSON object at `path`; undefined when the engine has no such route there. @throws when there is no response at all */
export async function probeIfPresent(http: EngineHttp, path: string): Promise<Record<string, unknown> | undefined> {
  const { status, text } = await probeOf(http)(path);
  const value = status === 200 ? parseJson(text) : undefined;
  // LM Studio's way of saying 404 is a 200 with an error.
  return isJsonObject(value) && parseEngineError(value) === undefined ? value : undefined;
}

/**
 * The JSON object at `path`. @throws EngineLoadingError while the engine loads, UnusableEngineError when it is none; anything else when
 * there is no response at all
 */
export async function probeEngine(http: EngineHttp, path: string): Promise<Record<string, unknown>> {
  return objectOrError(await probeOf(http)(path), path);
}

const LIST_PATH = '/v1/models';

/** The list of models of an engine that may be of any kind. @throws as `probeEngine` */
export async function probeList(http: EngineHttp): Promise<Record<string, unknown>> {
  const response = await probeOf(http)(LIST_PATH);
  return response.text === ''
    ? (listIn(response) ?? objectOrError(response, LIST_PATH))
    : objectOrError(response, LIST_PATH);
}

function objectOrError({ status, text }: ProbeResponse, path: string): Record<string, unknown> {
  if (status === 401 || status === 403) {
    throw new UnusableEngineError(`rejects the node's credential (${status}): check "api_key_env" of this engine`);
  }
  const value = parseJson(text);
  const error = parseEngineError(value);
  if (status === 200 && error === undefined && isJsonObject(value)) return value;
  if (status === SERVICE_UNAVAILABLE && /\bloading\b/i.test(error?.message ?? '')) {
    throw new EngineLoadingError('is still loading its model');
  }
  throw new UnusableEngineError(`answers ${status} to ${path}${error === undefined ? '' : `: ${error.message}`}`);
}
