/** Sign-in with an e-mail address and a password instead of a code that is approved elsewhere. */
import { ManagementApi } from '../../core/api/management-api.js';
import { isLoopbackHost } from '../../core/api/relay-address.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';

/**
 * The relay would refuse it, but only after the password has crossed the network.
 * @param advice what to do; it is given the relay's address at the near end of a tunnel, and the command that opens the tunnel
 * @throws CliError (usage) for plain http to another computer
 */
export function refusePlainHttp(baseUrl: string, advice: (throughTunnel: string, tunnel: string) => string): void {
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol === 'https:' || isLoopbackHost(hostname)) return;
  const own = port || '80';
  const hint = advice(`http://127.0.0.1:${own}`, `ssh -N -L ${own}:127.0.0.1:${own} ${hostname}`);
  throw new CliError(
    'tls_required',
    exitCodes.usage,
    `a password is not sent over plain http: ${baseUrl} needs https`,
    {
      hint,
    },
  );
}

/**
 * Opens a session that lasts for this call, approves a device login with it, and ends it.
 * @param clientName shown in the user's list of sign-ins
 * @throws CliError (not signed in) when the address or the password is wrong
 */
export async function passwordToken(
  baseUrl: string,
  clientName: string,
  credentials: { readonly email: string; readonly password: string },
): Promise<string> {
  const session = new ManagementApi({ baseUrl }, withCookies());
  await session.post('/api/sign-in', { body: credentials });
  return tokenOfSession(session, baseUrl, clientName);
}

/** Accepts an invite: the new user's CLI token. @throws CliError (not signed in, usage) */
export async function invitedToken(
  baseUrl: string,
  clientName: string,
  newcomer: { readonly token: string; readonly email: string; readonly password: string; readonly name?: string },
): Promise<string> {
  const session = new ManagementApi({ baseUrl }, withCookies());
  await session.post('/api/invites/accept', { body: newcomer });
  return tokenOfSession(session, baseUrl, clientName);
}

async function tokenOfSession(session: ManagementApi, baseUrl: string, clientName: string): Promise<string> {
  const anonymous = new ManagementApi({ baseUrl });
  const code = await anonymous.post('/api/device-login', { body: { name: clientName } });
  await session.post('/api/device-login/approve', { body: { user_code: code.user_code } });
  const { cli_token: token } = await anonymous.post('/api/device-login/token', {
    body: {
      device_code: code.device_code,
    },
  });
  // The session is no longer needed; the token stays valid if ending the session fails.
  await session.post('/api/sign-out').catch(() => undefined);
  return token;
}

/** `fetch` that returns received cookies, like a page of the relay's own website. */
function withCookies(): typeof fetch {
  let cookies: readonly string[] = [];
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    if (cookies.length > 0) headers.set('cookie', cookies.join('; '));
    headers.set('sec-fetch-site', 'same-origin');
    const response = await fetch(input, { ...init, headers });
    const given = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
    if (given.length > 0) cookies = given;
    return response;
  };
}
