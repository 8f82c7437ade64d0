/** A validated entry of `engines.json` of any kind. */
import { z } from 'zod';
import { modelsField, nothingConfigured, type ConfiguredCapabilities } from './configured-capabilities.js';
import type { EngineContext, EngineKind } from './engine-kind.js';
import type { EngineProblem } from './engine-problem.js';
import type { Engine } from './engine.js';
import { inputsField } from './entry-fields.js';
import { gpuSettings, type GpuSetting } from './llamacpp/gpu/gpu-setting.js';

export interface EngineEntry {
  readonly kind: string;
  /** Absent: the kind derives one. */
  readonly name: string | undefined;
  /** Where the engine listens; undefined for one that runs inside of the node. */
  readonly address: URL | undefined;
  /** Directory of its models, as written; undefined: the default one, or managed by the engine. */
  readonly modelsDirectory: string | undefined;
  /** Selects the device of the built-in engine, as written; undefined when not set, or for another kind. */
  readonly gpu: GpuSetting | undefined;
  readonly configured: ConfiguredCapabilities;
  /** The entry names which models are in memory. */
  readonly namesResident: boolean;
  /** @throws EnginesFileError for problems that the schema cannot detect, such as a missing environment variable */
  readonly create: (context: EngineContext) => Promise<Engine>;
  /** Problems that can be found on this computer without starting the engine. */
  readonly check: (context: EngineContext) => Promise<readonly EngineProblem[]>;
}

type EntryReading =
  | { readonly entry: EngineEntry }
  | { readonly problems: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] };

/** A kind with its entry type erased. */
export interface RegisteredKind {
  readonly kind: string;
  readonly read: (value: Readonly<Record<string, unknown>>) => EntryReading;
}

/** Fields that entries of several kinds share. */
const wholeEngine = z.object({
  base_url: z.instanceof(URL).optional(),
  models_directory: z.string().optional(),
  tools: z.boolean().optional(),
  inputs: inputsField.optional(),
  gpu: z.enum(gpuSettings).optional(),
  resident: z.unknown().optional(),
});

/** `models` is read here, so that it means the same with every kind. */
export function registerKind<Entry extends { readonly kind: string; readonly name?: string | undefined }>(
  engineKind: EngineKind<Entry>,
): RegisteredKind {
  const { kind, schema, create, check } = engineKind;
  const read = ({ models, ...own }: Readonly<Record<string, unknown>>): EntryReading => {
    const entry = schema.safeParse(own);
    const named = modelsField.optional().safeParse(models);
    if (!entry.success || !named.success) {
      const modelProblems = named.error?.issues.map(({ path, message }) => ({ path: ['models', ...path], message }));
      return { problems: [...(entry.error?.issues ?? []), ...(modelProblems ?? [])] };
    }
    const whole = wholeEngine.safeParse(entry.data).data ?? {};
    return {
      entry: {
        kind,
        name: entry.data.name,
        address: whole.base_url,
        modelsDirectory: whole.models_directory,
        gpu: whole.gpu,
        configured: {
          all: { tools: whole.tools, inputs: whole.inputs },
          models: named.data ?? nothingConfigured.models,
        },
        namesResident: whole.resident !== undefined,
        create: async (context) => create(entry.data, context),
        check: async (context) => check?.(entry.data, context) ?? [],
      },
    };
  };
  return { kind, read };
}
