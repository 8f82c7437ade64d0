/**
 * What Ferry has put on this computer, by name: a folder that somebody else also uses, such as a home directory given as the data directory,
 * loses nothing but what Ferry made there.
 */
import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { configDirectory, dataDirectory } from '../../../kernel/data-directory.js';
import type { Environment } from '../../invocation.js';

/** `ferry` removes everything; `ferry-node` removes what its installer and its node made. */
export type UninstallScope = 'all' | 'node';

export interface InstalledParts {
  /** The one-file agent and its command. */
  readonly program: readonly string[];
  /** Sign-ins, profiles, and what `ferry connect` has noted. */
  readonly config: readonly string[];
  readonly data: readonly string[];
  readonly dataBytes: number;
  /** Programs that are still set up to use Ferry. */
  readonly connected: readonly string[];
}

const CONFIG =
  /^(?:credentials\.json|config\.json|shown-requests\.json|profiles|connections|(?:open-webui|copilot)\.env)$/;
const DATA = /^(?:relay|node|logs|models|engine|credentials\.json|computer-id|listen\.json|ferry\.toml|up\.\d+\.sock)$/;
const DATA_OF_NODE = /^(?:node|models|engine)$/;
/**
 * Others use these names, too: in a home directory or a checkout, `models` and `logs` may be anybody's. A folder is Ferry's where it has one of the
 * `marks`, or nothing but what Ferry makes.
 */
const FOLDERS: Readonly<Record<string, { readonly marks: RegExp } | { readonly only: RegExp }>> = {
  relay: { marks: /^(?:secret|instance-id|pgdata|(?:relay|service)\.\d+\.sock)$/ },
  node: { marks: /^(?:identity\.json|engines\.json|offered-files|service\.log|(?:node|service)\.\d+\.sock)$/ },
  engine: { only: /^llamacpp/ },
  logs: { only: /^(?:relay|node|up|serve)(?:-service)?\.log(?:\.\d+)?$/ },
  models: { only: /\.gguf(?:\.part(?:\.json.*)?)?$/i },
};
/** A folder with it is also a relay's, and models and engine may be what that relay's computer serves. */
const RELAY = 'relay';

export async function findInstalledParts(env: Environment, scope: UninstallScope): Promise<InstalledParts> {
  const directory = dataDirectory(env);
  const names = await readdir(directory).catch((): string[] => []);
  const ofNode = names.includes(RELAY) ? /^node$/ : DATA_OF_NODE;
  const named = below(directory, names, scope === 'all' ? DATA : ofNode);
  const isOurs = await Promise.all(named.map(isFerrys));
  const data = named.filter((_, index) => isOurs[index]);
  const config = configDirectory(env);
  const sizes = await Promise.all(data.map(sizeOf));
  return {
    program: await agentFiles(env),
    config: scope === 'node' ? [] : below(config, await readdir(config).catch((): string[] => []), CONFIG),
    data,
    dataBytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
    connected: scope === 'node' ? [] : await connectedPrograms(config),
  };
}

const below = (folder: string, names: readonly string[], ours: RegExp): readonly string[] =>
  names.filter((name) => ours.test(name)).map((name) => path.join(folder, name));

async function isFerrys(file: string): Promise<boolean> {
  const rule = FOLDERS[path.basename(file)];
  // A file of a name that nobody else has.
  if (rule === undefined) return true;
  const names = await readdir(file).catch((): string[] | undefined => undefined);
  if (names === undefined) return false;
  return 'marks' in rule ? names.some((name) => rule.marks.test(name)) : names.every((name) => rule.only.test(name));
}

async function connectedPrograms(config: string): Promise<readonly string[]> {
  const names = await readdir(path.join(config, 'connections')).catch((): string[] => []);
  return names.filter((name) => name.endsWith('.json')).map((name) => path.basename(name, '.json'));
}

/** The installers of `public/agent` put them there. */
async function agentFiles(env: Environment): Promise<readonly string[]> {
  const home = env['HOME'] ?? homedir();
  const { XDG_DATA_HOME: xdg = '', LOCALAPPDATA: local } = env;
  const folder =
    process.platform === 'win32'
      ? path.join(local ?? path.join(home, 'AppData', 'Local'), 'ferry', 'agent')
      : path.join(path.isAbsolute(xdg) ? xdg : path.join(home, '.local', 'share'), 'ferry', 'agent');
  const launcher = path.join(home, '.local', 'bin', 'ferry-node');
  const isOurs = (await readFile(launcher, 'utf8').catch(() => '')).includes('# Made by the installer of Ferry.');
  return [...(isOurs ? [launcher] : []), ...((await exists(folder)) ? [folder] : [])];
}

const exists = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );

async function sizeOf(file: string): Promise<number> {
  const found = await lstat(file).catch(() => undefined);
  if (found?.isDirectory() !== true) return found?.isFile() === true ? found.size : 0;
  let bytes = 0;
  for (const name of await readdir(file).catch((): string[] => [])) bytes += await sizeOf(path.join(file, name));
  return bytes;
}

/** How the program that runs now is removed, which it cannot do itself; undefined for the one-file agent. */
export async function removalOfProgram(script: string | undefined): Promise<string | undefined> {
  const own = script === undefined ? undefined : await realpath(script).catch(() => undefined);
  if (own === undefined || path.basename(own).startsWith('ferry-node')) return undefined;
  const folder = path.dirname(path.dirname(own));
  return path.basename(path.dirname(folder)) === 'node_modules'
    ? 'npm uninstall --global ferry'
    : `npm uninstall --global ferry, if it was linked, and delete ${folder}`;
}
