/**
 * What stands behind an OpenAI-compatible address. Asked with GETs only: an inference request would load a model on the engines that
 * this is here to recognise (docs/reference/engines.md#known-engines).
 */
import { isJsonObject, parseJson } from '../../../kernel/json-object.js';

export interface EngineFingerprint {
  readonly kind: string;
  readonly version: string | null;
  /** The engine loads a listed model when a request names it, so being listed does not mean being resident. */
  readonly loadsOnDemand: boolean;
  /**
   * It has the legacy route `/v1/completions` (docs/reference/engines.md#known-engines). Known by its kind: to try it out would be an
   * inference request.
   */
  readonly completes: boolean;
}

export interface ProbeAnswer {
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
  /** The version (null when it is not told) if this answer is the engine's; undefined if it is another's. */
  readonly recognise: (answer: Record<string, unknown>, server: string) => string | null | undefined;
}

const entries = (list: unknown): Record<string, unknown>[] => (Array.isArray(list) ? list.filter(isJsonObject) : []);
const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, 100) : null;
const known = (condition: boolean): null | undefined => (condition ? null : undefined);

/** The first that matches counts. Shapes are checked, not statuses: LM Studio answers 200 to everything. */
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
    // In router mode /props has no model of its own; an empty router would otherwise pass for a server.
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
    // It has no route of its own to tell it by: Python's bare HTTP server, and a list that names no owner.
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

export const unknownEngine: EngineFingerprint = {
  kind: 'openai-compatible',
  version: null,
  loadsOnDemand: false,
  completes: false,
};

/** @throws when a probe gets no answer at all: then nothing is known, and nothing may be promised */
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
