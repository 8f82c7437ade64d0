/**
 * Identifies the engine behind an OpenAI-compatible address, with GETs only, because an inference request would load a model on some
 * engines (docs/reference/engines.md#known-engines).
 */
import { isJsonObject, parseJson } from '../../../kernel/json-object.js';

export interface EngineFingerprint {
  readonly kind: string;
  readonly version: string | null;
  /** Whether the engine loads listed models on request, so that listed does not mean resident. */
  readonly loadsOnDemand: boolean;
  /**
   * It has the legacy route `/v1/completions` (docs/reference/engines.md#known-engines), as far as its kind tells: to try it out would be an
   * inference request, so that a client's own is the first.
   */
  readonly completes: boolean;
}

interface ProbeAnswer {
  readonly status: number;
  /** The `Server` header. */
  readonly server: string;
  readonly text: string;
}

export type Probe = (path: string) => Promise<ProbeAnswer>;

interface Sign {
  readonly kind: string;
  readonly path: string;
  readonly loadsOnDemand: boolean;
  /** Absent: true, as with nearly all of them. */
  readonly completes?: false;
  /** The version (null if not reported) when the answer is this engine's; else undefined. */
  readonly recognise: (answer: Record<string, unknown>, server: string) => string | null | undefined;
}

const entries = (list: unknown): Record<string, unknown>[] => (Array.isArray(list) ? list.filter(isJsonObject) : []);
const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, 100) : null;
const known = (condition: boolean): null | undefined => (condition ? null : undefined);

/** The first match counts. Bodies are checked, not statuses, because LM Studio always answers 200. */
const signs: readonly Sign[] = [
  {
    kind: 'ollama',
    path: '/api/version',
    loadsOnDemand: true,
    recognise: ({ version }) => text(version) ?? undefined,
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
    kind: 'mlx-vlm',
    path: '/health',
    loadsOnDemand: true,
    completes: false,
    recognise: (health) => known('loaded_model' in health),
  },
  {
    kind: 'localai',
    path: '/system',
    loadsOnDemand: true,
    recognise: ({ backends, loaded_models: loaded }) => known(Array.isArray(backends) && Array.isArray(loaded)),
  },
  {
    kind: 'mlx-lm',
    path: '/v1/models',
    loadsOnDemand: true,
    // Without a specific route: recognised by Python's HTTP server and a list without owners.
    recognise: ({ data }, server) =>
      known(server.startsWith('BaseHTTP/') && entries(data).every((model) => !('owned_by' in model))),
  },
  {
    kind: 'sglang',
    path: '/v1/models',
    loadsOnDemand: false,
    recognise: ({ data }) =>
      known(entries(data).length > 0 && entries(data).every((model) => model['owned_by'] === 'sglang')),
  },
  {
    kind: 'vllm',
    path: '/version',
    loadsOnDemand: false,
    recognise: ({ version }) => text(version) ?? undefined,
  },
];

const unknownEngine: EngineFingerprint = {
  kind: 'openai-compatible',
  version: null,
  loadsOnDemand: false,
  // It is tried with the first request for it, and the answer is remembered.
  completes: true,
};

/** @throws when a probe gets no answer, because the kind is then unknown */
export async function fingerprint(probe: Probe): Promise<EngineFingerprint> {
  const paths = [...new Set(signs.map((sign) => sign.path))];
  const answers = new Map(await Promise.all(paths.map(async (path) => [path, await probe(path)] as const)));
  for (const { kind, path, loadsOnDemand, completes = true, recognise } of signs) {
    const answer = answers.get(path);
    if (answer?.status !== 200) continue;
    const value = parseJson(answer.text);
    if (!isJsonObject(value)) continue;
    const version = recognise(value, answer.server);
    if (version !== undefined) return { kind, version, loadsOnDemand, completes };
  }
  return unknownEngine;
}
