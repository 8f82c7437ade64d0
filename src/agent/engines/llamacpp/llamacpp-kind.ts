/** Schema of the built-in engine in `engines.json`. The engine itself is imported only when one is created. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { bundle } from '../../../kernel/bundle.js';
import { dataDirectory } from '../../../kernel/data-directory.js';
import type { EngineContext, EngineKind } from '../engine-kind.js';
import { contextTokensField, nameField, slotsField } from '../entry-fields.js';

/**
 * Directory of the engine package (`llamacpp/`) and its models (`models/`); the relative path is the same in sources and build. For the
 * single-file agent it is beside the file if the installer has put it there; the agent also runs without it.
 */
export const packagedEngines = fileURLToPath(
  new URL(bundle === undefined ? '../../../../engines' : './engines', import.meta.url),
);

/** Whether its packages are there. They may still not run on this computer. */
export const isBuiltInEngineInstalled = (): boolean =>
  existsSync(path.join(packagedEngines, 'llamacpp', 'node_modules', 'node-llama-cpp', 'package.json'));

const GIBIBYTE = 1_024 * 1_024 * 1_024;

const schema = z.strictObject({
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
});

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
    enginePackageDirectory: path.join(packagedEngines, 'llamacpp'),
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
