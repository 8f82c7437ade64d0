/**
 * What a program needs that has another process be the node: to join, and to know whether the built-in engine is there. Apart from
 * `main.ts`, because `ferry up` keeps what it has imported in memory for as long as it supervises: the whole node is 14 MB.
 */
import { existsSync } from 'node:fs';
import { dataDirectory } from '../kernel/data-directory.js';
import { registerKind, type RegisteredKind } from './engines/engine-entry.js';
import { planEngines } from './engines/engine-plan.js';
import { isBuiltInEngineInstalled, variantOf, type EngineVariant } from './engines/llamacpp/engine-packages.js';
import { planGpu } from './engines/llamacpp/gpu/gpu-plan.js';
import { readGraphics } from './engines/llamacpp/gpu/graphics.js';
import { llamacppKind } from './engines/llamacpp/llamacpp-kind.js';
import { enginesFileOf } from './engines-file-path.js';
import type { JoinedNode, JoinOptions } from './enrolment/join-cluster.js';
import { loadAgentSettings } from './load-agent-settings.js';

export { readIdentity } from './enrolment/node-identity.js';
export { variantMegabytes, type EngineVariant } from './engines/llamacpp/engine-packages.js';
export { installBuiltInEngine } from './engines/llamacpp/engine-installation.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Joins a relay. Needed at the first start only, and only then is its HTTP client loaded. @throws JoinError; nothing is written then */
export async function joinCluster(options: JoinOptions): Promise<JoinedNode> {
  const enrolment = await import('./enrolment/join-cluster.js');
  return enrolment.joinCluster(options);
}

/** The engines that this node is configured to have, without those that it would find. @throws SettingsError, EnginesFileError */
async function configuredEngines(env: Environment) {
  const { values: settings } = loadAgentSettings(env);
  const file = enginesFileOf(settings, dataDirectory(env));
  const { entries } = await planEngines({
    engineUrls: [],
    file,
    kinds: await kindsFor(file),
    discovery: { on: false, ports: [], intervalMs: settings.discoveryIntervalMs },
  });
  return { settings, entries };
}

/**
 * Whether the models that come with Ferry are part of the configuration of this node, and whether the built-in engine, which runs them, is
 * installed. @throws SettingsError, EnginesFileError
 */
export async function bundledModels(env: Environment): Promise<'none' | 'engine-missing' | 'served'> {
  const { entries } = await configuredEngines(env);
  const configured = entries.some(({ kind, modelsDirectory }) => kind === 'llamacpp' && modelsDirectory === undefined);
  if (!configured) return 'none';
  return isBuiltInEngineInstalled(env) ? 'served' : 'engine-missing';
}

export interface GraphicsPackage {
  /** Tells people the result of the search. Undefined: nothing was found, and nothing was requested. */
  readonly line: string | undefined;
  /** The built-in engine tries it at its start, if it has the packages. */
  readonly isUsed: boolean;
  /** The packages that are missing for it. Undefined: none are. */
  readonly missing: EngineVariant | undefined;
}

/**
 * The graphics processor of this computer, by its files, and whether the built-in engine has the packages for it. Nothing is downloaded.
 * @throws SettingsError, EnginesFileError
 */
export async function graphicsPackage(env: Environment): Promise<GraphicsPackage> {
  const { settings, entries } = await configuredEngines(env);
  const entry = entries.find(({ kind }) => kind === 'llamacpp');
  const setting = entry?.gpu ?? settings.llamacppGpu;
  if (entry === undefined || setting === 'off') return { line: undefined, isUsed: false, missing: undefined };
  const { backend, line, next } = planGpu(setting, await readGraphics({ env }));
  const variant = backend === undefined ? undefined : variantOf(backend);
  const isThere = variant === undefined || variant === 'llamacpp' || isBuiltInEngineInstalled(env, variant);
  return {
    line: line === undefined || next === undefined ? line : `${line}; ${next}`,
    isUsed: backend !== undefined,
    missing: isThere ? undefined : variant,
  };
}

/** Without a file there is the built-in engine only; the other kinds come with their HTTP clients. */
async function kindsFor(file: string): Promise<readonly RegisteredKind[]> {
  if (existsSync(file)) return (await import('./engines/engine-kinds.js')).engineKinds;
  return [registerKind(llamacppKind)];
}
