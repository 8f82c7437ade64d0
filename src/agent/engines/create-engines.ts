import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../kernel/clock.js';
import type { Engine } from './engine.js';
import { EnginesFileError, type EngineEntry, type LlamacppEntry, type OpenAiCompatibleEntry } from './engines-file.js';
import { OpenAiCompatibleEngine } from './openai-compatible/openai-compatible-engine.js';

/** The packaged engine and its models; the same distance from sources and from the build. */
const enginesDirectory = fileURLToPath(new URL('../../../engines', import.meta.url));

export interface CreateEnginesOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative paths of the engines file begin here. */
  readonly directory: string;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly log: (engine: string, level: 'info' | 'warn', message: string) => void;
}

/** @throws EnginesFileError for what only shows now, such as a missing environment variable */
export async function createEngines(entries: readonly EngineEntry[], options: CreateEnginesOptions): Promise<Engine[]> {
  const engines = await Promise.all(entries.map((entry) => createEngine(entry, options)));
  const names = engines.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return engines;
  throw new EnginesFileError(`two engines are called ${repeated}: give one of them another "name"`);
}

async function createEngine(entry: EngineEntry, options: CreateEnginesOptions): Promise<Engine> {
  switch (entry.kind) {
    case 'llamacpp':
      return createLlamacpp(entry, options);
    case 'openai-compatible':
      return createOpenAiCompatible(entry, options);
  }
}

/** Imported only where it is used: a node in front of another engine never loads it. */
async function createLlamacpp(entry: LlamacppEntry, { directory, clock, log }: CreateEnginesOptions): Promise<Engine> {
  const { createLlamacppEngine } = await import('./llamacpp/llamacpp-engine.js');
  const name = entry.name ?? 'llamacpp';
  return createLlamacppEngine({
    name,
    enginePackageDirectory: path.join(enginesDirectory, 'llamacpp'),
    modelsDirectory:
      entry.models_directory === undefined
        ? path.join(enginesDirectory, 'models')
        : path.resolve(directory, entry.models_directory),
    load: entry.load,
    ...(entry.slots === undefined ? {} : { slots: entry.slots }),
    ...(entry.context_tokens === undefined ? {} : { contextTokens: entry.context_tokens }),
    clock,
    log: (level, message) => {
      log(name, level, message);
    },
  });
}

function createOpenAiCompatible(entry: OpenAiCompatibleEntry, { env, userAgent, log }: CreateEnginesOptions): Engine {
  const name = entry.name ?? `openai@${entry.base_url.host}`;
  const apiKey = entry.api_key_env === undefined ? undefined : env[entry.api_key_env];
  if (entry.api_key_env !== undefined && (apiKey === undefined || apiKey === '')) {
    throw new EnginesFileError(
      `engine ${name}: the environment variable ${entry.api_key_env} (api_key_env) is not set`,
    );
  }
  return new OpenAiCompatibleEngine({
    name,
    baseUrl: entry.base_url,
    apiKey,
    slots: entry.slots,
    pollMs: entry.poll_ms,
    resident: entry.resident ?? null,
    routes: entry.routes ?? null,
    inputs: entry.inputs ?? null,
    tools: entry.tools ?? null,
    contextTokens: entry.context_tokens ?? null,
    displayNames: entry.display_names,
    userAgent,
    onProblem: (problem) => {
      if (problem === null) log(name, 'info', `${entry.base_url.href} answers with its models`);
      else log(name, 'warn', `${entry.base_url.href} ${problem}`);
    },
  });
}
