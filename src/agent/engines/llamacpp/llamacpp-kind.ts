/** Schema of the built-in engine in `engines.json`. The engine itself is imported only when one is created. */
import path from 'node:path';
import { z } from 'zod';
import { dataDirectory } from '../../../kernel/data-directory.js';
import type { EngineContext, EngineKind } from '../engine-kind.js';
import { contextTokensField, nameField, slotsField } from '../entry-fields.js';
import { engineDirectory, isBuiltInEngineInstalled, packagedEngines, variantOf } from './engine-packages.js';
import { gpuSettings } from './gpu/gpu-setting.js';

const GIBIBYTE = 1_024 * 1_024 * 1_024;

const settings = z.strictObject({
  kind: z.literal('llamacpp'),
  name: nameField.optional(),
  /** The only folder with GGUF files. Absent: the bundled models, and `models` in the data directory. */
  models_directory: z.string().min(1).optional(),
  /** File names without `.gguf` of the models to load until the owner unloads them. Absent: all. */
  load: z.union([z.literal('all'), z.array(z.string().min(1)).max(1_000)]).default('all'),
  slots: slotsField.optional(),
  context_tokens: contextTokensField.optional(),
  /** Larger files are not installed. */
  max_model_bytes: z
    .number()
    .int()
    .min(1)
    .default(256 * GIBIBYTE),
  /** Absent: as FERRY_LLAMACPP_GPU says. */
  gpu: z.enum(gpuSettings).optional(),
  /** Layers on the graphics processor. Absent: as many as fit. */
  gpu_layers: z.number().int().min(0).max(10_000).optional(),
  /** Absent: with a graphics processor only. */
  flash_attention: z.boolean().optional(),
  kv_cache_type: z.enum(['f16', 'q8_0', 'q4_0']).default('f16'),
  /** Tokens of prompts and answers that are computed at once. */
  batch_tokens: z.number().int().min(32).max(8_192).optional(),
});
const schema = settings.refine(
  ({ kv_cache_type: type, flash_attention: flash }) => type === 'f16' || flash === true,
  '"kv_cache_type" other than "f16" needs "flash_attention": true',
);

const kvCacheTypes = { f16: 'F16', q8_0: 'Q8_0', q4_0: 'Q4_0' } as const;

/** A name may contain characters that are invalid in a file name. */
const gpuRecordFile = (directory: string, name: string): string =>
  path.join(directory, `${encodeURIComponent(name)}-gpu.json`);

interface Places {
  readonly enginePackageDirectory: string;
  readonly modelsDirectory: string;
  readonly bundledModelsDirectory: string | undefined;
}

function placesOf(
  { models_directory: ownFolder }: z.output<typeof schema>,
  { directory, env }: Pick<EngineContext, 'directory' | 'env'>,
): Places {
  return {
    enginePackageDirectory: engineDirectory(env),
    modelsDirectory:
      ownFolder === undefined ? path.join(dataDirectory(env), 'models') : path.resolve(directory, ownFolder),
    bundledModelsDirectory: ownFolder === undefined ? path.join(packagedEngines, 'models') : undefined,
  };
}

export const llamacppKind: EngineKind<z.output<typeof schema>> = {
  kind: 'llamacpp',
  schema,
  /** Imported lazily: a node with other engines does not need it. */
  create: async (entry, context) => {
    const { directory, env, userAgent, installSources, clock, log } = context;
    const { createLlamacppEngine } = await import('./llamacpp-engine.js');
    const { enginePackageDirectory, modelsDirectory, bundledModelsDirectory } = placesOf(entry, context);
    const name = entry.name ?? 'llamacpp';
    return createLlamacppEngine({
      name,
      enginePackageDirectory,
      modelsDirectory,
      ...(bundledModelsDirectory !== undefined && { bundledModelsDirectory }),
      // A name may contain characters that are invalid in a file name.
      stateFile: path.join(directory, `${encodeURIComponent(name)}-models.json`),
      load: entry.load,
      maxModelBytes: entry.max_model_bytes,
      ...(entry.slots === undefined ? {} : { slots: entry.slots }),
      ...(entry.context_tokens === undefined ? {} : { contextTokens: entry.context_tokens }),
      gpu: entry.gpu ?? context.gpu ?? 'auto',
      gpuDirectory: (backend) => {
        const variant = variantOf(backend);
        return { directory: engineDirectory(env, variant), isInstalled: isBuiltInEngineInstalled(env, variant) };
      },
      gpuRecordFile: gpuRecordFile(directory, name),
      ...(entry.gpu_layers !== undefined && { gpuLayers: entry.gpu_layers }),
      ...(entry.flash_attention !== undefined && { flashAttention: entry.flash_attention }),
      kvCacheType: kvCacheTypes[entry.kv_cache_type],
      ...(entry.batch_tokens !== undefined && { batchTokens: entry.batch_tokens }),
      env,
      userAgent,
      ...(installSources !== undefined && { installSources }),
      clock,
      log: (level, message) => {
        log(name, level, message);
      },
    });
  },
  check: async (entry, context) => {
    const { checkLlamacpp } = await import('./check-llamacpp.js');
    const { enginePackageDirectory, modelsDirectory, bundledModelsDirectory } = placesOf(entry, context);
    return checkLlamacpp({
      enginePackageDirectory,
      folders: { installed: modelsDirectory, bundled: bundledModelsDirectory },
      folderIsNamed: entry.models_directory !== undefined,
      load: entry.load,
    });
  },
};
