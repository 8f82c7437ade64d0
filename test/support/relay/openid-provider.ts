/** A real OpenID provider on loopback, and a fake browser that signs in there. */
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export interface OpenIdClient {
  readonly id: string;
  readonly secret: string;
  readonly redirectUri: string;
}

const MOST_STEPS = 20;

export class TestOpenIdProvider {
  /** E-mail addresses that the provider has not verified. */
  readonly unverified = new Set<string>();
  /** E-mail addresses for which the claim is text. */
  readonly verifiedAs = new Map<string, string>();

  private constructor(
    readonly issuer: string,
    private readonly server: Server,
  ) {}

  static async start({ id, secret, redirectUri }: OpenIdClient): Promise<TestOpenIdProvider> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const self = new TestOpenIdProvider(issuer, server);
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: id,
          client_secret: secret,
          redirect_uris: [redirectUri],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      cookies: { keys: ['a key of the test suite'] },
      // The subject is the e-mail address.
      findAccount: (_context: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({
          sub,
          email: sub,
          email_verified: self.verifiedAs.get(sub) ?? !self.unverified.has(sub),
          name: sub.split('@')[0],
        }),
      }),
    });
    server.on('request', provider.callback());
    return self;
  }

  /** Submits the provider's forms. @returns the final redirect */
  async signIn(start: string, email: string): Promise<URL> {
    const jar = new Map<string, string>();
    let url = new URL(start);
    let form: Record<string, string> | undefined;
    for (let step = 0; step < MOST_STEPS && url.origin === this.issuer; step += 1) {
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
        ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
      });
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=', 2);
        jar.set(name, value);
      }
      const page = await response.text();
      const next = response.headers.get('location');
      form = undefined;
      if (next !== null) url = new URL(next, url);
      else if (page.includes('value="login"')) form = { prompt: 'login', login: email, password: 'any' };
      else if (page.includes('value="consent"')) form = { prompt: 'consent' };
      else throw new Error(`the provider answers ${String(response.status)} with ${page.slice(0, 500)}`);
    }
    return url;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
