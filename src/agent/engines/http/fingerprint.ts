/**
 * Identifies the engine behind an OpenAI-compatible address, with GETs only, because an inference request would load a model on some
 * engines (docs/reference/engines.md#known-engines). Every path is free to ask at every server: not `/health`, for which LiteLLM's proxy
 * calls each of its models, and somebody pays.
 */
import { isJsonObject, parseJson } from '../../../kernel/json-object.js';
import { residentsIn } from './listed-residents.js';

export interface EngineFingerprint {
  readonly kind: string;
  readonly version: string | null;
  /** Whether the engine loads listed models on request, so that listed does not mean resident. */
  readonly loadsOnDemand: boolean;
  /** With `loadsOnDemand`: whether this listed model is resident nevertheless. */
  readonly isResident?: (id: string) => boolean;
  /** The list of the engine has several models, and nothing shows which of them are in memory. */
  readonly residencyUnknown?: true;
  /**
   * It has the legacy route `/v1/completions` (docs/reference/engines.md#known-engines), as far as its kind tells: to try it out would be an
   * inference request, so that a client's own is the first.
   */
  readonly completes: boolean;
}

export interface ProbeResponse {
  readonly status: number;
  /** The `Server` header. */
  readonly server: string;
  readonly text: string;
}

export type Probe = (path: string) => Promise<ProbeResponse>;

interface Sign {
  readonly kind: string;
  readonly path: string;
  readonly loadsOnDemand: boolean;
  /** Absent: true, as with nearly all of them. */
  readonly completes?: false;
  /** @param answer in which the engine was recognised */
  readonly isResident?: (id: string, response: Record<string, unknown>) => boolean;
  /** Asked of servers only whose list looks so. Absent: of all. */
  readonly onlyAfter?: (list: Record<string, unknown>, server: string) => boolean;
  /** The version (null if not reported) when the response is this engine's; else undefined. */
  readonly recognise: (response: Record<string, unknown>, server: string) => string | null | undefined;
}

const entries = (list: unknown): Record<string, unknown>[] => (Array.isArray(list) ? list.filter(isJsonObject) : []);
const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, 100) : null;
const known = (condition: boolean): null | undefined => (condition ? null : undefined);

const LIST_PATH = '/v1/models';
const release = /^v?\d+\.\d+\.\d+/;
const isFile = (id: string): boolean => /^(?:[./~]|[A-Za-z]:[\\/])/.test(id);
/** The name by which a request to mlx-lm gets the model of `--model`, whatever that is. */
export const MLX_DEFAULT_MODEL = 'default_model';
const isPythons = (server: string): boolean => server.startsWith('BaseHTTP/');
const everyEntry = (list: unknown, is: (entry: Record<string, unknown>) => boolean): boolean =>
  entries(list).length > 0 && entries(list).every(is);

/** The first match counts. Bodies are checked, not statuses, because LM Studio always answers 200. */
const signs: readonly Sign[] = [
  {
    kind: 'llama-swap',
    path: '/running',
    loadsOnDemand: true,
    recognise: ({ running }) => known(Array.isArray(running) && entries(running).every((model) => 'state' in model)),
  },
  {
    kind: 'ollama',
    path: '/api/version',
    loadsOnDemand: true,
    // Nothing but a release: llama-swap and others answer the same path with more, or with other versions.
    recognise: (response) => {
      const version = Object.keys(response).length === 1 ? text(response['version']) : null;
      return version !== null && release.test(version) ? version : undefined;
    },
  },
  {
    kind: 'lmstudio',
    path: '/api/v1/models',
    loadsOnDemand: true,
    recognise: ({ models }) => known(Array.isArray(models) && entries(models).every((model) => 'key' in model)),
  },
  {
    kind: 'lmstudio',
    path: '/api/v0/models',
    loadsOnDemand: true,
    recognise: ({ data }) => known(entries(data).some((model) => typeof model['state'] === 'string')),
  },
  {
    kind: 'llamacpp-router',
    path: '/models',
    loadsOnDemand: true,
    recognise: ({ data }) =>
      known(entries(data).some(({ status }) => isJsonObject(status) && typeof status['value'] === 'string')),
  },
  {
    kind: 'llamacpp-server',
    path: '/props',
    loadsOnDemand: false,
    // In router mode /props has no model; an empty router would otherwise look like a server.
    recognise: ({ build_info: build, default_generation_settings: settings, role }) =>
      isJsonObject(settings) && role !== 'router' ? text(build) : undefined,
  },
  {
    kind: 'localai',
    path: '/system',
    loadsOnDemand: true,
    recognise: ({ backends, loaded_models: loaded }) => known(Array.isArray(backends) && Array.isArray(loaded)),
  },
  {
    kind: 'mlx-lm',
    path: LIST_PATH,
    loadsOnDemand: true,
    // It lists the Hugging Face cache by the names of repositories, and the folder of its own `--model`, which it has in memory.
    isResident: (id) => isFile(id) || id === MLX_DEFAULT_MODEL,
    // No specific route exists: Python's HTTP server and a list without owners identify it.
    recognise: ({ data }, server) => known(isPythons(server) && entries(data).every((model) => !('owned_by' in model))),
  },
  {
    kind: 'sglang',
    path: LIST_PATH,
    loadsOnDemand: false,
    recognise: ({ data }) => known(everyEntry(data, (model) => model['owned_by'] === 'sglang')),
  },
  {
    kind: 'transformers-serve',
    path: LIST_PATH,
    loadsOnDemand: true,
    // Since 5.24 the list says what is in memory, also of a folder that is served.
    isResident: (id, { data }) => entries(data).some((model) => model['id'] === id && stateOf(model) === 'loaded'),
    recognise: ({ data }) =>
      known(everyEntry(data, (model) => stateOf(model) === 'loaded' || stateOf(model) === 'unloaded')),
  },
  {
    kind: 'transformers-serve',
    path: LIST_PATH,
    loadsOnDemand: true,
    completes: false,
    // The Hugging Face cache: every model belongs to the owner of its repository.
    recognise: ({ data }) => known(everyEntry(data, ({ id, owned_by: owner }) => isOwnersRepository(id, owner))),
  },
  {
    kind: 'vllm',
    path: '/version',
    loadsOnDemand: false,
    recognise: ({ version }) => text(version) ?? undefined,
  },
  {
    kind: 'mlx-vlm',
    path: '/openapi.json',
    loadsOnDemand: true,
    completes: false,
    onlyAfter: ({ data }, server) =>
      server.startsWith('uvicorn') && everyEntry(data, (model) => !('owned_by' in model)),
    recognise: ({ info }) =>
      isJsonObject(info) && info['title'] === 'MLX-VLM Inference API' ? text(info['version']) : undefined,
  },
];

const stateOf = ({ status }: Record<string, unknown>): unknown => (isJsonObject(status) ? status['value'] : undefined);

const isOwnersRepository = (id: unknown, owner: unknown): boolean =>
  typeof id === 'string' && typeof owner === 'string' && owner !== '' && id.startsWith(`${owner}/`);

function unknownEngine(list: Record<string, unknown> | undefined): EngineFingerprint {
  const { includes, isKnown } = residentsIn(list);
  return {
    kind: 'openai-compatible',
    version: null,
    loadsOnDemand: true,
    isResident: includes,
    ...(!isKnown && { residencyUnknown: true }),
    // It is tried with the first request for it, and the response is remembered.
    completes: true,
  };
}

/** @throws when a probe gets no response, because the kind is then unknown */
export async function fingerprint(probe: Probe): Promise<EngineFingerprint> {
  const paths = [...new Set(signs.filter((sign) => sign.onlyAfter === undefined).map((sign) => sign.path))];
  const responses = new Map(await Promise.all(paths.map(async (path) => [path, await probe(path)] as const)));
  const list = responses.get(LIST_PATH);
  for (const sign of signs) {
    if (sign.onlyAfter !== undefined && !(list && sign.onlyAfter(listIn(list) ?? {}, list.server))) continue;
    const response = responses.get(sign.path) ?? (await probe(sign.path));
    const value = sign.path === LIST_PATH ? listIn(response) : objectIn(response);
    const version = value && sign.recognise(value, response.server);
    if (value === undefined || version === undefined) continue;
    const { kind, loadsOnDemand, completes = true, isResident } = sign;
    const resident = isResident && { isResident: (id: string) => isResident(id, value) };
    return { kind, version, loadsOnDemand, completes, ...resident };
  }
  return unknownEngine(list && listIn(list));
}

/**
 * The object that answers for the list of models. mlx-lm has sent the head of its response when it finds that the computer has no Hugging Face
 * cache, and sends nothing more: then it has what `--model` names.
 */
export function listIn(response: ProbeResponse): Record<string, unknown> | undefined {
  const isNothing = response.status === 200 && response.text === '' && isPythons(response.server);
  return isNothing ? { data: [{ id: MLX_DEFAULT_MODEL }] } : objectIn(response);
}

function objectIn({ status, text: body }: ProbeResponse): Record<string, unknown> | undefined {
  const value = status === 200 ? parseJson(body) : undefined;
  return isJsonObject(value) ? value : undefined;
}
