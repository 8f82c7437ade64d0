/** Reads an entry of `engines.json` for any engine behind HTTP, and makes the options of an engine from it. */
import { z } from 'zod';
import type { EngineContext, EngineKind } from '../engine-kind.js';
import { EnginesFileError } from '../engines-file-error.js';
import {
  apiKeyEnvField,
  baseUrlField,
  contextTokensField,
  inputsField,
  nameField,
  pollMsField,
  slotsField,
} from '../entry-fields.js';
import { HttpEngine, type HttpEngineOptions } from './http-engine.js';
import type { EngineAdapter } from './engine-adapter.js';

/** A restarted engine must serve within five seconds, and a model that the engine evicted must be noticed. */
const DEFAULT_POLL_MS = 2_000;

/** Spread these fields into the strict object of a kind. */
export const httpEntryFields = {
  /** Absent: made from the address. */
  name: nameField.optional(),
  base_url: baseUrlField,
  api_key_env: apiKeyEnvField.optional(),
  /** Absent: as many as the engine says that it runs at once, else four. */
  slots: slotsField.optional(),
  poll_ms: pollMsField.default(DEFAULT_POLL_MS),
  tools: z.boolean().optional(),
  inputs: inputsField.optional(),
  context_tokens: contextTokensField.optional(),
  /** Names for people, by the engine's own name of the model. */
  display_names: z.record(z.string().min(1), z.string().min(1).max(200)).default({}),
};

type Fields = typeof httpEntryFields;
type HttpEntry = z.output<z.ZodObject<Fields>>;

/**
 * @param prefix of the name that is made from the address: `<prefix>@<host>`
 * @throws EnginesFileError when the environment variable of the key is not set
 */
export function httpEngineOptions(
  entry: HttpEntry,
  { env, userAgent, log }: EngineContext,
  prefix: string,
): HttpEngineOptions {
  const name = entry.name ?? `${prefix}@${entry.base_url.host}`;
  const apiKey = entry.api_key_env === undefined ? undefined : env[entry.api_key_env];
  if (entry.api_key_env !== undefined && (apiKey === undefined || apiKey === '')) {
    throw new EnginesFileError(
      `engine ${name}: the environment variable ${entry.api_key_env} (api_key_env) is not set`,
    );
  }
  return {
    name,
    baseUrl: entry.base_url,
    apiKey,
    slots: entry.slots ?? null,
    pollMs: entry.poll_ms,
    inputs: entry.inputs ?? null,
    tools: entry.tools ?? null,
    contextTokens: entry.context_tokens ?? null,
    displayNames: entry.display_names,
    userAgent,
    onProblem: (problem) => {
      if (problem === null) log(name, 'info', `${entry.base_url.href} answers with its models`);
      else log(name, 'warn', `${entry.base_url.href} ${problem}`);
    },
  };
}

/** The kind of an engine whose entries have the common fields only. */
export const httpEngineKind = (
  kind: string,
  adapter: (context: EngineContext) => EngineAdapter,
): EngineKind<HttpEntry & { readonly kind: string }> => ({
  kind,
  schema: z.strictObject({ kind: z.literal(kind), ...httpEntryFields }),
  create: (entry, context) => new HttpEngine(httpEngineOptions(entry, context, kind), adapter(context)),
});
