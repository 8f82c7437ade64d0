import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../../kernel/clock.js';
import { readCredentials, writeCredentials } from '../../core/api/credentials-file.js';
import { knownConnection } from '../../core/api/find-connection.js';
import { ManagementApi } from '../../core/api/management-api.js';
import { profilePath } from '../../core/api/profiles.js';
import { isSameRelay, parseBaseUrl } from '../../core/api/relay-address.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Invocation } from '../../invocation.js';
import { printData } from '../../core/output/print-data.js';
import { printable } from '../../../kernel/printable.js';
import { untilStopped } from '../../core/supervision/stop-signals.js';
import { canOffer, offerKey } from '../chat/offer-key.js';
import { awaitApproval } from './device-login.js';
import { passwordToken, refusePlainHttp } from './password-login.js';
import { promptForSecrets, readSecrets } from '../../core/args/read-secrets.js';
import type { Schemas } from '../../core/api/management-api.types.js';

interface LogInOptions {
  readonly withToken?: true;
  readonly email?: string;
  readonly passwordStdin?: true;
}

/**
 * Signs the profile in and stores the credentials. An API key of the same relay and account is kept; credentials of another are replaced.
 * @throws CliError (not signed in) when the code was not approved, or the token is invalid
 */
export async function logIn(invocation: Invocation, url: string | undefined, options: LogInOptions): Promise<void> {
  const known = await knownConnection(invocation);
  const baseUrl = url === undefined ? known.baseUrl?.value : parseBaseUrl(url, 'the address');
  if (baseUrl === undefined) {
    throw new CliError('usage', exitCodes.usage, 'which relay shall this computer sign in to?', {
      hint: 'ferry login https://relay.example.com',
    });
  }
  await signInWith(invocation, baseUrl, await obtainToken(invocation, baseUrl, options));
}

async function obtainToken(invocation: Invocation, baseUrl: string, options: LogInOptions): Promise<string> {
  const { withToken, email, passwordStdin } = options;
  if (withToken === true) {
    return (await readSecrets(process.stdin, ['token'], 'ferry login --with-token < token.txt'))[0] ?? '';
  }
  if (email === undefined) return deviceToken(invocation, baseUrl);
  refusePlainHttp(
    baseUrl,
    (throughTunnel, tunnel) =>
      `ferry login ${baseUrl}, and approve its code where you are signed in; or ${tunnel}, and ferry login ${throughTunnel} --email ${email}`,
  );
  const hint = `ferry login ${baseUrl} --email ${email} --password-stdin < password.txt`;
  const [password = ''] = await (passwordStdin === true
    ? readSecrets(process.stdin, ['password'], hint)
    : promptForSecrets(invocation.terminal, ['password'], hint));
  return passwordToken(baseUrl, computerName(), { email, password });
}

/** Stores a CLI token as the sign-in of the chosen profile. @throws CliError (not signed in) when the token is invalid */
export async function signInWith(invocation: Invocation, baseUrl: string, token: string): Promise<void> {
  const { env, terminal } = invocation;
  const known = await knownConnection(invocation);
  const who = await new ManagementApi({ baseUrl, token }).get('/api/whoami');

  const file = profilePath(env, known.profile.value);
  const earlier = await readCredentials(file).catch(() => undefined);
  const same = earlier !== undefined && earlier.account_id === who.account_id && isSameRelay(earlier.base_url, baseUrl);
  await writeCredentials(file, {
    version: 1,
    base_url: baseUrl,
    account_id: who.account_id,
    cli_token: token,
    ...(same ? { api_key: earlier.api_key, cluster_id: earlier.cluster_id } : {}),
  });
  terminal.note(`Signed in to ${baseUrl}${nameOf(who)} (profile ${known.profile.value}).`);
  const facts = { base_url: baseUrl, account_id: who.account_id, profile: known.profile.value };
  const hasKey = same && earlier.api_key !== undefined;
  // A sign-in manages; a chat needs a key.
  const wantsKey = !hasKey && canOffer(invocation) && invocation.global.output === 'table';
  const made = wantsKey ? await offerKeyOrExplain(invocation, baseUrl) : undefined;
  await printData(invocation, facts, () => {
    terminal.note(
      hasKey || made !== undefined ? '  next: ferry chat' : '  next: ferry keys create NAME --save, then ferry chat',
    );
  });
}

/** The sign-in has worked, whatever comes of the key. */
async function offerKeyOrExplain(invocation: Invocation, baseUrl: string): Promise<string | undefined> {
  try {
    return await offerKey(invocation, baseUrl);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    invocation.terminal.note(`No key was made: ${printable(error.message)}`);
    return undefined;
  }
}

const nameOf = ({ user }: Schemas['WhoAmI']): string => (user === null ? '' : ` as ${printable(user.email)}`);

/** The device name shown at the approval; the relay accepts printable characters only. */
export const computerName = (): string => `ferry on ${printable(hostname()).slice(0, 48)}`;

async function deviceToken({ terminal }: Invocation, baseUrl: string): Promise<string> {
  const api = new ManagementApi({ baseUrl });
  const code = await api.post('/api/device-login', { body: { name: computerName() } });
  terminal.note(`Code: ${printable(code.user_code)}`);
  terminal.note(`Approve it where ferry is signed in already: ferry login approve ${printable(code.user_code)}`);
  const page = code.verification_uri_complete ?? code.verification_uri;
  if (page !== null) terminal.note(`or in a browser: ${printable(page)}`);
  const grant = await approvalUntilStopped((signal) =>
    awaitApproval(api, code, {
      clock: systemClock,
      delay: (milliseconds) => delay(milliseconds, undefined, { signal }),
    }),
  );
  return grant.cli_token;
}

/** Ctrl-C cancels at once: a code without a polling client is useless. */
const approvalUntilStopped = (
  wait: (signal: AbortSignal) => Promise<Schemas['DeviceLoginToken']>,
): Promise<Schemas['DeviceLoginToken']> =>
  untilStopped((stop) =>
    wait(stop).catch((error: unknown) => {
      if (stop.aborted) {
        throw new CliError(
          'interrupted',
          exitCodes.interrupted,
          'interrupted: not signed in, and the code is of no use',
          {
            hint: 'ferry login shows a new code',
          },
        );
      }
      throw error;
    }),
  );
