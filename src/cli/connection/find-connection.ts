/** Which relay a command talks to, and as whom: flag, then environment, then the data directory's file, then the configuration directory's. */
import { configDirectory, dataDirectory } from '../../kernel/data-directory.js';
import { CliError } from '../failure/cli-error.js';
import { exitCodes } from '../failure/exit-codes.js';
import type { Invocation } from '../invocation.js';
import { credentialsPath, readCredentials, type Credentials } from './credentials-file.js';
import { isSameRelay, parseBaseUrl } from './relay-address.js';

export interface Connection {
  /** Without a slash at the end and without `/v1`. */
  readonly baseUrl: string;
  /** `ferry-cli-…`. Never printed. */
  readonly token: string;
}

/**
 * A token from a file is only ever sent to the relay that the same file names: a mistyped `--base-url` must not give it away.
 * @throws CliError (not signed in) when there is no token for the relay; (usage) when an address is malformed
 */
export async function findConnection({ env, global }: Pick<Invocation, 'env' | 'global'>): Promise<Connection> {
  const address = explicitAddress(global.baseUrl, env);
  const token = nonEmpty(global.token) ?? nonEmpty(env['FERRY_TOKEN']);
  if (address !== undefined && token !== undefined) return { baseUrl: address, token };

  const file = await findCredentials(env);
  if (file === undefined) throw notSignedIn('not signed in to any relay');
  const known = parseBaseUrl(file.base_url, 'base_url of the credentials file');
  if (token !== undefined) return { baseUrl: known, token };
  if (address !== undefined && !isSameRelay(address, known)) {
    throw notSignedIn(`not signed in to ${address} (but to ${known})`);
  }
  return { baseUrl: address ?? known, token: file.cli_token };
}

/** The relay that a command without a sign-in talks to, such as `node join`. */
export async function findRelayAddress({
  env,
  global,
}: Pick<Invocation, 'env' | 'global'>): Promise<string | undefined> {
  const explicit = explicitAddress(global.baseUrl, env);
  return explicit ?? (await findCredentials(env))?.base_url;
}

function explicitAddress(flag: string | undefined, env: Invocation['env']): string | undefined {
  if (flag !== undefined) return parseBaseUrl(flag, '--base-url');
  const fromEnv = nonEmpty(env['FERRY_BASE_URL']);
  return fromEnv === undefined ? undefined : parseBaseUrl(fromEnv, 'FERRY_BASE_URL');
}

async function findCredentials(env: Invocation['env']): Promise<Credentials | undefined> {
  // Only where the data directory was named: whoever runs several relays side by side says which one he means.
  const named = nonEmpty(env['FERRY_DATA_DIR']);
  const fromData = named === undefined ? undefined : await readCredentials(credentialsPath(dataDirectory(env)));
  return fromData ?? (await readCredentials(credentialsPath(configDirectory(env))));
}

// An empty variable is how shells and compose files say "not set".
const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

const notSignedIn = (message: string): CliError =>
  new CliError('not_signed_in', exitCodes.notSignedIn, message, {
    hint: 'ferry up (on this computer), or pass --base-url and --token',
  });
