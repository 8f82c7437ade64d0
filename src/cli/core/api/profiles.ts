/**
 * Profiles: sign-ins to several relays. The profile `default` is `credentials.json`, which `ferry up` writes too; every other
 * profile has its own file, so that concurrent commands do not overwrite each other's secrets.
 */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { configDirectory } from '../../../kernel/data-directory.js';
import { CliError } from '../errors/cli-error.js';
import { exitCodes } from '../errors/exit-codes.js';
import type { Environment } from '../../invocation.js';
import { credentialsPath } from './credentials-file.js';

export const DEFAULT_PROFILE = 'default';

/** Used as a file name: no leading dot and no slash. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/i;

const configSchema = z.object({ version: z.literal(1), profile: z.string().regex(NAME) });

const configPath = (env: Environment): string => path.join(configDirectory(env), 'config.json');
const profilesDirectory = (env: Environment): string => path.join(configDirectory(env), 'profiles');

/** @throws CliError (usage) for a name that is not a valid file name */
export function parseProfileName(name: string): string {
  if (NAME.test(name)) return name;
  throw new CliError('usage', exitCodes.usage, `"${name}" is no name for a profile`, {
    hint: 'letters, digits, dots and dashes, up to 63 of them',
  });
}

/** The credentials file of a profile. */
export const profilePath = (env: Environment, name: string): string =>
  name === DEFAULT_PROFILE
    ? credentialsPath(configDirectory(env))
    : path.join(profilesDirectory(env), `${parseProfileName(name)}.json`);

/** The profile chosen by `ferry profiles use`; undefined when none was chosen. */
export async function chosenProfile(env: Environment): Promise<string | undefined> {
  try {
    return configSchema.parse(JSON.parse(await readFile(configPath(env), 'utf8'))).profile;
  } catch {
    // The file is missing or was written by another version.
    return undefined;
  }
}

export async function chooseProfile(env: Environment, name: string): Promise<void> {
  await mkdir(configDirectory(env), { recursive: true, mode: 0o700 });
  await writeFileAtomic(configPath(env), `${JSON.stringify({ version: 1, profile: name })}\n`, { mode: 0o600 });
}

/** Names of the profiles with a file, `default` first. */
export async function listProfileNames(env: Environment): Promise<readonly string[]> {
  const own = await readdir(profilesDirectory(env)).catch((): string[] => []);
  const named = own.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -'.json'.length));
  const present = await readdir(configDirectory(env)).catch((): string[] => []);
  const first = present.includes(path.basename(credentialsPath('.'))) ? [DEFAULT_PROFILE] : [];
  return [...first, ...named.filter((name) => NAME.test(name)).sort()];
}

/** Returns false when there is no such profile. After the chosen profile is removed, `default` is in use again. */
export async function removeProfile(env: Environment, name: string): Promise<boolean> {
  if (!(await listProfileNames(env)).includes(name)) return false;
  await rm(profilePath(env, name), { force: true });
  if ((await chosenProfile(env)) === name) await rm(configPath(env), { force: true });
  return true;
}
