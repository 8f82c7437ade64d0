/** One entry of `engines.json`, whatever its kind: checked, and ready to become an engine. */
import { z } from 'zod';
import { modelsField, nothingConfigured, type ConfiguredCapabilities } from './configured-capabilities.js';
import type { EngineContext, EngineKind } from './engine-kind.js';
import type { EngineProblem } from './engine-problem.js';
import type { Engine } from './engine.js';
import { inputsField } from './entry-fields.js';

export interface EngineEntry {
  readonly kind: string;
  /** Absent: the kind makes one up. */
  readonly name: string | undefined;
  /** Where the engine listens; undefined for one that runs inside of the node. */
  readonly address: URL | undefined;
  /** The folder with its models, as written; undefined: the usual one, or it keeps them by itself. */
  readonly modelsDirectory: string | undefined;
  readonly configured: ConfiguredCapabilities;
  /** @throws EnginesFileError for what only shows now, such as a missing environment variable */
  readonly create: (context: EngineContext) => Promise<Engine>;
  /** What keeps it from serving, found on this computer without starting it. */
  readonly check: (context: EngineContext) => Promise<readonly EngineProblem[]>;
}

export type EntryReading =
  | { readonly entry: EngineEntry }
  | { readonly problems: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] };

/** A kind whose own type of entry is not known any more. */
export interface RegisteredKind {
  readonly kind: string;
  readonly read: (value: Readonly<Record<string, unknown>>) => EntryReading;
}

/** What a kind's entry may say for all models of the engine, and where most have their address. */
const wholeEngine = z.object({
  base_url: z.instanceof(URL).optional(),
  models_directory: z.string().optional(),
  tools: z.boolean().optional(),
  inputs: inputsField.optional(),
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
        configured: {
          all: { tools: whole.tools, inputs: whole.inputs },
          models: named.data ?? nothingConfigured.models,
        },
        create: async (context) => create(entry.data, context),
        check: async (context) => check?.(entry.data, context) ?? [],
      },
    };
  };
  return { kind, read };
}
