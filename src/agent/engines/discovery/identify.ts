/** Identifies the service at an address: a known engine, another service, or none. */
import { isJsonObject } from '../../../kernel/json-object.js';
import { fingerprint, listIn } from '../http/fingerprint.js';
import type { TargetResponse } from './target-probe.js';

export type Identification =
  | {
      readonly seen: 'engine';
      readonly kind: string;
      readonly version: string | null;
      readonly models: number;
      /** It does not tell which of its models are in memory, so that none counts as loaded. */
      readonly residencyUnknown?: true;
    }
  /** It answers, but is not ready yet. */
  | { readonly seen: 'starting' }
  /** No engine, or none that can be used without a credential. For people. */
  | { readonly seen: 'other'; readonly what: string }
  | { readonly seen: 'silent' }
  | { readonly seen: 'nothing' };

export type Get = (path: string) => Promise<TargetResponse>;

const LIST_PATH = '/v1/models';

/** All engines have the model list (docs/reference/engines.md#known-engines), so another service gets a single request. */
export async function identify(get: Get): Promise<Identification> {
  const list = await listModels(get);
  if (!('data' in list)) return list;
  try {
    const { kind, version, residencyUnknown } = await fingerprint(get);
    return { seen: 'engine', kind, version, models: list.data.length, ...(residencyUnknown && { residencyUnknown }) };
  } catch (error) {
    return lost(error);
  }
}

/** Checks with one GET whether an engine is still there, not which one. Undefined: it is. */
export async function problemOf(get: Get): Promise<Identification | undefined> {
  const list = await listModels(get);
  return 'data' in list ? undefined : list;
}

async function listModels(get: Get): Promise<Identification | { readonly data: readonly unknown[] }> {
  let response: TargetResponse;
  try {
    response = await get(LIST_PATH);
  } catch (error) {
    return lost(error);
  }
  const { status } = response;
  if (status === 503) return { seen: 'starting' };
  if (status === 401 || status === 403) return { seen: 'other', what: `requires a credential (${String(status)})` };
  const list = listIn(response);
  // Ollama without a model says `"data": null`.
  if (list === undefined || !('data' in list) || (list['data'] !== null && !Array.isArray(list['data']))) {
    return { seen: 'other', what: `answers ${String(status)} to ${LIST_PATH}, without a list of models` };
  }
  const data: readonly unknown[] = list['data'] ?? [];
  // This or another relay's list: a node must not serve a relay as an engine.
  if (data.some((model) => isJsonObject(model) && Array.isArray(model['clusters']))) {
    return { seen: 'other', what: 'is a Ferry relay' };
  }
  return { data };
}

function lost(error: unknown): Identification {
  const { name, code } = error as NodeJS.ErrnoException;
  const silent = name === 'TimeoutError' || name.endsWith('TimeoutError') || code === 'UND_ERR_CONNECT_TIMEOUT';
  return { seen: silent ? 'silent' : 'nothing' };
}
