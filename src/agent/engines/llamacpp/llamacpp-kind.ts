/** What `engines.json` may say about the built-in engine. The engine itself is imported only where one is made. */
import path from 'node:path';
import { z } from 'zod';
import { dataDirectory } from '../../../kernel/data-directory.js';
import type { EngineKind } from '../engine-kind.js';
import { contextTokensField, nameField, slotsField } from '../entry-fields.js';
import { packagedEngines } from '../packaged-engines.js';

const GIBIBYTE = 1_024 * 1_024 * 1_024;

const schema = z.strictObject({
  kind: z.literal('llamacpp'),
  name: nameField.optional(),
  /** Folder with GGUF files, alone. Absent: the models that come with Ferry, and `models` in the data directory. */
  models_directory: z.string().min(1).optional(),
  /** File names without `.gguf` to be loaded as long as the owner does not decide otherwise. Absent: all. */
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

export const llamacppKind: EngineKind<z.output<typeof schema>> = {
  kind: 'llamacpp',
  schema,
  /** A node in front of other engines never loads it. */
  create: async (entry, { directory, env, userAgent, installSources, clock, log }) => {
    const { createLlamacppEngine } = await import('./llamacpp-engine.js');
    const name = entry.name ?? 'llamacpp';
    const ownFolder = entry.models_directory;
    return createLlamacppEngine({
      name,
      enginePackageDirectory: path.join(packagedEngines, 'llamacpp'),
      modelsDirectory:
        ownFolder === undefined ? path.join(dataDirectory(env), 'models') : path.resolve(directory, ownFolder),
      ...(ownFolder === undefined && { bundledModelsDirectory: path.join(packagedEngines, 'models') }),
      // A name may hold characters that a file name may not.
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
};
