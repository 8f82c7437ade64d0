/** `engines.json`: which engines this node serves. Written by people, so every mistake is named with its place. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { inputKinds } from '../../kernel/dialect.js';
import { engineRoutes } from './engine.js';

/** An engine's name is part of every model's key, which has a bound on the link. */
const name = z.string().regex(/^[\w.@:-]{1,100}$/, 'letters, digits and . _ - @ : only, at most 100');
const slots = z.number().int().min(1).max(1_024);
const contextTokens = z.number().int().min(128).max(10_000_000);

const baseUrl = z
  .url({ protocol: /^https?$/, abort: true, error: 'an address like http://127.0.0.1:8080 is needed' })
  .refine((text) => {
    const url = new URL(text);
    return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  }, 'without user, password, query or fragment')
  .transform((text) => new URL(text));

const llamacppEntry = z.strictObject({
  kind: z.literal('llamacpp'),
  name: name.optional(),
  /** Folder with GGUF files. Absent: the models that come with Ferry. */
  models_directory: z.string().min(1).optional(),
  /** File names without `.gguf`. Absent: all. */
  load: z.union([z.literal('all'), z.array(z.string().min(1)).max(1_000)]).default('all'),
  slots: slots.optional(),
  context_tokens: contextTokens.optional(),
});

const openAiCompatibleEntry = z.strictObject({
  kind: z.literal('openai-compatible'),
  /** Absent: made from the address. */
  name: name.optional(),
  base_url: baseUrl,
  /** Name of the environment variable with the engine's API key; the key itself does not belong into a file. */
  api_key_env: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, 'the name of an environment variable is needed, not the key')
    .optional(),
  slots: slots.default(4),
  /** Which listed models are resident, for an engine that cannot be asked. */
  resident: z.union([z.literal('all'), z.array(z.string().min(1)).max(1_000)]).optional(),
  /** Which routes it has. Absent: `chat`, and `completions` where the engine is recognised as one that has it; it is never tried out. */
  routes: z.array(z.enum(engineRoutes)).min(1).optional(),
  poll_ms: z.number().int().min(100).max(600_000).default(5_000),
  tools: z.boolean().optional(),
  inputs: z.array(z.enum(inputKinds)).min(1).optional(),
  context_tokens: contextTokens.optional(),
  /** Names for people, by the engine's own name of the model. */
  display_names: z.record(z.string().min(1), z.string().min(1).max(200)).default({}),
});

const engineEntry = z.discriminatedUnion('kind', [llamacppEntry, openAiCompatibleEntry], {
  error: 'an engine needs a "kind": "llamacpp" or "openai-compatible"',
});
export type EngineEntry = z.output<typeof engineEntry>;
export type LlamacppEntry = z.output<typeof llamacppEntry>;
export type OpenAiCompatibleEntry = z.output<typeof openAiCompatibleEntry>;

const enginesFile = z.strictObject({ engines: z.array(engineEntry).max(64) });

/** One message for all mistakes of the file. */
export class EnginesFileError extends Error {
  override readonly name = 'EnginesFileError';
}

/** The built-in engine with the models that come with Ferry. */
export const defaultEngines: readonly EngineEntry[] = [{ kind: 'llamacpp', load: 'all' }];

/** An engine that was named by its address only. @throws EnginesFileError */
export const engineAt = (address: string): EngineEntry =>
  readEntries([{ kind: 'openai-compatible', base_url: address }], `engine address ${address}`);

/** Undefined when there is no such file. @throws EnginesFileError */
export async function readEnginesFile(file: string): Promise<readonly EngineEntry[] | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new EnginesFileError(`cannot read ${file}: ${(error as Error).message}`, { cause: error });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new EnginesFileError(`${file} is not JSON: ${(error as Error).message}`, { cause: error });
  }
  return parse(value, file);
}

function parse(value: unknown, source: string): readonly EngineEntry[] {
  const parsed = enginesFile.safeParse(value);
  if (parsed.success) return parsed.data.engines;
  const problems = parsed.error.issues.map(({ path, message }) => `  ${placeOf(path)}: ${message}`);
  throw new EnginesFileError(`${source} cannot be used:\n${problems.join('\n')}`);
}

function readEntries(entries: readonly unknown[], source: string): EngineEntry {
  const [entry] = parse({ engines: entries }, source);
  if (entry === undefined) throw new EnginesFileError(`${source} cannot be used`);
  return entry;
}

const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .reduce<string>((place, key) => (typeof key === 'number' ? `${place}[${key}]` : `${place}.${String(key)}`), '')
    .replace(/^\./, '') || 'the file';
