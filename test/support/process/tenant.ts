/** An account of its own on a relay that others use too, with what `TestRelay` has for its first account. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FerryProcess } from './ferry-process.js';
import { RelayClient, type Credentials } from './relay-client.js';
import type { TestRelay } from './test-relay.js';

const PASSWORD = 'a long enough password';

export class Tenant extends RelayClient {
  private constructor(
    private readonly relay: TestRelay,
    readonly credentials: Credentials,
    readonly dataDirectory: string,
  ) {
    super();
  }

  /** The relay's sign-up must be open, and this computer a proxy that it trusts. */
  static async signUp(relay: TestRelay): Promise<Tenant> {
    const { baseUrl } = relay;
    let cookie = '';
    // Sign-ups and logins of one address are limited: each account comes from another one.
    const address = ['10', ...randomBytes(3)].join('.');
    const call = async <ReceivedResponse>(method: string, route: string, body?: object): Promise<ReceivedResponse> => {
      const response = await fetch(`${baseUrl}/api/${route}`, {
        method,
        headers: {
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          'x-forwarded-for': address,
          cookie,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} /api/${route}: ${response.status} ${await response.text()}`);
      const [set] = response.headers.getSetCookie();
      if (set !== undefined) cookie = set.split(';')[0] ?? '';
      return (response.status === 204 ? undefined : await response.json()) as ReceivedResponse;
    };
    const email = `${randomUUID()}@example.com`;
    await call('POST', 'sign-up', { email, password: PASSWORD, name: 'tenant' });
    const [{ account_id }, { data: clusters }, { key }, code] = await Promise.all([
      call<{ account_id: string }>('GET', 'account'),
      call<{ data: readonly { cluster_id: string }[] }>('GET', 'clusters'),
      call<{ key: string }>('POST', 'keys', { name: 'quickstart', scopes: ['inference'] }),
      call<{ device_code: string; user_code: string }>('POST', 'device-login', { name: 'tenant' }),
    ]);
    await call('POST', 'device-login/approve', { user_code: code.user_code });
    const { device_code } = code;
    const { cli_token } = await call<{ cli_token: string }>('POST', 'device-login/token', { device_code });
    const cluster_id = clusters[0]?.cluster_id ?? '';
    const credentials = { version: 1, base_url: baseUrl, account_id, cluster_id, cli_token, api_key: key };
    const dataDirectory = await mkdtemp(path.join(tmpdir(), 'ferry-tenant-'));
    await writeFile(path.join(dataDirectory, 'credentials.json'), JSON.stringify(credentials), { mode: 0o600 });
    return new Tenant(relay, credentials, dataDirectory);
  }

  get baseUrl(): string {
    return this.relay.baseUrl;
  }

  /** Of all its accounts. */
  get process(): FerryProcess {
    return this.relay.process;
  }

  /** Environment with which `ferry` commands use this account. */
  get commandEnv(): Record<string, string> {
    return { FERRY_DATA_DIR: this.dataDirectory, FERRY_CONFIG_DIR: path.join(this.dataDirectory, 'config') };
  }

  async leave(): Promise<void> {
    await rm(this.dataDirectory, { recursive: true, force: true });
  }
}
