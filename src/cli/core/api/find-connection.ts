/** Resolves the relay and the credentials of a command from flags, environment, an explicit data directory, and the profile, in this order. */
import { dataDirectory } from '../../../kernel/data-directory.js';
import { CliError } from '../errors/cli-error.js';
import { exitCodes } from '../errors/exit-codes.js';
import type { Invocation } from '../../invocation.js';
import { credentialsPath, readCredentials, type Credentials } from './credentials-file.js';
import { chosenProfile, DEFAULT_PROFILE, parseProfileName, profilePath } from './profiles.js';
import { isSameRelay, parseBaseUrl } from './relay-address.js';

export interface Connection {
  /** Has neither a trailing slash nor `/v1`. */
  readonly baseUrl: string;
  /** `ferry-cli-…`. Never printed. */
  readonly token: string;
}

export type ValueSource = 'flag' | 'environment' | 'data directory' | 'profile' | 'default';

/** A value with its source. */
export interface Sourced<Value> {
  readonly value: Value;
  readonly source: ValueSource;
  /** Name of the flag or variable, or path of the file. */
  readonly from: string | null;
}

/** The resolved connection, possibly incomplete. Secrets stored for a relay other than `baseUrl` are omitted. */
export interface KnownConnection {
  readonly profile: Sourced<string>;
  readonly baseUrl: Sourced<string> | undefined;
  readonly token: Sourced<string> | undefined;
  readonly apiKey: Sourced<string> | undefined;
  /** The relay that the credentials file belongs to, which may differ from `baseUrl`. */
  readonly signedInTo: string | undefined;
}

type Options = Pick<Invocation, 'env' | 'global'>;

/**
 * A token from a file is sent only to the relay named in that file, so that a mistyped `--base-url` cannot leak it.
 * @throws CliError (not signed in) when there is no token for the relay; (usage) when an address is malformed
 */
export async function findConnection(options: Options): Promise<Connection> {
  const { baseUrl, token, signedInTo } = await knownConnection(options);
  if (baseUrl !== undefined && token !== undefined) return { baseUrl: baseUrl.value, token: token.value };
  if (baseUrl === undefined || signedInTo === undefined) {
    throw notSignedIn('not signed in to any relay', baseUrl?.value);
  }
  throw notSignedIn(`not signed in to ${baseUrl.value} (but to ${signedInTo})`, baseUrl.value);
}

/** The relay for commands that need no sign-in, such as `node join`. */
export const findRelayAddress = async (options: Options): Promise<string | undefined> =>
  (await knownConnection(options)).baseUrl?.value;

/** @throws CliError (usage) when an address or the name of a profile is malformed */
export async function knownConnection({ env, global }: Options): Promise<KnownConnection> {
  const profile = await findProfile({ env, global });
  const stored = await findStored(env, profile);
  const signedInTo =
    stored === undefined ? undefined : parseBaseUrl(stored.credentials.base_url, 'base_url of the credentials file');
  const baseUrl = explicitAddress(global.baseUrl, env) ?? fromFile(stored, signedInTo);
  const trusted =
    signedInTo === undefined || baseUrl === undefined || !isSameRelay(baseUrl.value, signedInTo) ? undefined : stored;
  return {
    profile,
    baseUrl,
    token:
      given('flag', '--token', global.token) ??
      given('environment', 'FERRY_TOKEN', env['FERRY_TOKEN']) ??
      fromFile(trusted, trusted?.credentials.cli_token),
    apiKey:
      given('environment', 'FERRY_API_KEY', env['FERRY_API_KEY']) ?? fromFile(trusted, trusted?.credentials.api_key),
    signedInTo,
  };
}

/** The selected profile, whether it is signed in or not. */
export async function findProfile({ env, global }: Options): Promise<Sourced<string>> {
  const named =
    given('flag', '--profile', global.profile) ?? given('environment', 'FERRY_PROFILE', env['FERRY_PROFILE']);
  if (named !== undefined) return { ...named, value: parseProfileName(named.value) };
  const chosen = await chosenProfile(env);
  return chosen === undefined
    ? { value: DEFAULT_PROFILE, source: 'default', from: null }
    : { value: chosen, source: 'profile', from: 'ferry profiles use' };
}

interface Stored {
  readonly credentials: Credentials;
  readonly source: ValueSource;
  readonly file: string;
}

async function findStored(env: Invocation['env'], profile: Sourced<string>): Promise<Stored | undefined> {
  // Only if the data directory is set explicitly: several relays may run on one computer.
  const named = nonEmpty(env['FERRY_DATA_DIR']) !== undefined;
  const explicit = profile.source === 'flag' || profile.source === 'environment';
  if (named && !explicit) {
    const file = credentialsPath(dataDirectory(env));
    const credentials = await readCredentials(file);
    if (credentials !== undefined) return { credentials, source: 'data directory', file };
  }
  const file = profilePath(env, profile.value);
  const credentials = await readCredentials(file);
  return credentials === undefined ? undefined : { credentials, source: 'profile', file };
}

function explicitAddress(flag: string | undefined, env: Invocation['env']): Sourced<string> | undefined {
  if (flag !== undefined) return { value: parseBaseUrl(flag, '--base-url'), source: 'flag', from: '--base-url' };
  const fromEnv = given('environment', 'FERRY_BASE_URL', env['FERRY_BASE_URL']);
  return fromEnv === undefined ? undefined : { ...fromEnv, value: parseBaseUrl(fromEnv.value, 'FERRY_BASE_URL') };
}

const given = (source: ValueSource, from: string, text: string | undefined): Sourced<string> | undefined => {
  const value = nonEmpty(text);
  return value === undefined ? undefined : { value, source, from };
};

const fromFile = (stored: Stored | undefined, value: string | undefined): Sourced<string> | undefined =>
  stored === undefined || value === undefined ? undefined : { value, source: stored.source, from: stored.file };

// Shells and compose files use an empty variable for "not set".
const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

export const notSignedIn = (message: string, baseUrl = 'URL'): CliError =>
  new CliError('not_signed_in', exitCodes.notSignedIn, message, {
    hint: `ferry login ${baseUrl}, or ferry up (on this computer)`,
  });
