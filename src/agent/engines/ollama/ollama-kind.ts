import { z } from 'zod';
import { isThisComputer } from '../discovery/search-targets.js';
import type { EngineKind } from '../engine-kind.js';
import { baseUrlField } from '../entry-fields.js';
import { httpEngineOptions, httpEntryFields } from '../http/http-entry.js';
import { HttpEngine } from '../http/http-engine.js';
import { OllamaAdapter } from './ollama-adapter.js';

const DEFAULT_ADDRESS = 'http://127.0.0.1:11434';
/** No expiry: a model that the owner loads stays until it is unloaded or Ollama needs the memory. */
const DEFAULT_KEEP_ALIVE = -1;

const schema = z.strictObject({
  kind: z.literal('ollama'),
  ...httpEntryFields,
  base_url: baseUrlField.default(new URL(DEFAULT_ADDRESS)),
  /** How long a model loaded through Ferry stays without requests: `"30m"`, seconds, or -1 for no limit. */
  keep_alive: z
    .union([
      z.number().min(-1),
      z.string().regex(/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/, 'a duration like "30m" is needed'),
    ])
    .refine((value) => value !== 0, 'must not be 0: the model would be unloaded at once')
    .default(DEFAULT_KEEP_ALIVE),
});

/** Ollama's default is one; zero asked older versions to decide. */
function parallelIn(env: Readonly<Record<string, string | undefined>>): number | null {
  const text = env['OLLAMA_NUM_PARALLEL'] ?? '';
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : null;
}

export const ollamaKind: EngineKind<z.output<typeof schema>> = {
  kind: 'ollama',
  schema,
  create: (entry, context) =>
    new HttpEngine(
      httpEngineOptions(entry, context, 'ollama'),
      new OllamaAdapter({
        keepAlive: entry.keep_alive,
        installSources: context.installSources ?? 'public',
        parallel: isThisComputer(entry.base_url) ? parallelIn(context.env) : null,
      }),
    ),
};
