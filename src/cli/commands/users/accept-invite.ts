import { knownConnection } from '../../core/api/find-connection.js';
import { parseBaseUrl } from '../../core/api/relay-address.js';
import { promptForSecrets, readSecrets } from '../../core/args/read-secrets.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Invocation } from '../../invocation.js';
import { computerName, signInWith } from '../login/log-in.js';
import { invitedToken, refusePlainHttp } from '../login/password-login.js';

interface AcceptOptions {
  readonly email: string;
  readonly name?: string;
  readonly passwordStdin?: true;
}

/** @param invite a token, or the link of the website, which includes the relay's address */
export async function acceptInvite(
  invocation: Invocation,
  invite: string,
  { email, name, passwordStdin }: AcceptOptions,
): Promise<void> {
  const { baseUrl, token } = await parseInvite(invocation, invite);
  refusePlainHttp(
    baseUrl,
    (throughTunnel, tunnel) =>
      `${tunnel}, and in another terminal ferry users accept TOKEN --base-url ${throughTunnel} --email ${email}`,
  );
  const hint = 'ferry users accept TOKEN --email YOU@EXAMPLE.COM --password-stdin < password.txt';
  const [password = ''] = await (passwordStdin === true
    ? readSecrets(process.stdin, ['password'], hint)
    : promptForSecrets(invocation.terminal, ['password'], hint));
  const newcomer = { token, email, password, ...(name === undefined ? {} : { name }) };
  await signInWith(invocation, baseUrl, await invitedToken(baseUrl, computerName(), newcomer));
}

async function parseInvite(
  invocation: Invocation,
  invite: string,
): Promise<{ readonly baseUrl: string; readonly token: string }> {
  const [address, token] = invite.split('#');
  if (token !== undefined && address !== undefined && URL.canParse(address)) {
    return { baseUrl: parseBaseUrl(new URL(address).origin, 'the link'), token };
  }
  const { baseUrl } = await knownConnection(invocation);
  if (baseUrl !== undefined) return { baseUrl: baseUrl.value, token: invite };
  throw new CliError('usage', exitCodes.usage, 'which relay is this invite of?', {
    hint: 'ferry users accept TOKEN --base-url https://relay.example.com --email YOU@EXAMPLE.COM',
  });
}
