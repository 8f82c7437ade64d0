export interface Credentials {
  readonly base_url: string;
  readonly account_id: string;
  readonly cluster_id: string;
  readonly cli_token: string;
  readonly api_key: string;
}

/** A client of both APIs at one address of a relay. */
export abstract class RelayClient {
  abstract readonly credentials: Credentials;
  abstract get baseUrl(): string;

  get apiKey(): string {
    return this.credentials.api_key;
  }

  /** A request with the API key, unless the headers say otherwise. */
  fetch(route: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${this.apiKey}`);
    if (init.body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
    return fetch(`${this.baseUrl}${route}`, { ...init, headers });
  }

  chat(body: Record<string, unknown>, init: RequestInit = {}): Promise<Response> {
    return this.fetch('/v1/chat/completions', { method: 'POST', body: JSON.stringify(body), ...init });
  }

  /** A management request that must succeed. */
  async manage<ReceivedResponse>(method: string, route: string, body?: unknown): Promise<ReceivedResponse> {
    const response = await fetch(`${this.baseUrl}/api${route}`, {
      method,
      headers: { authorization: `Bearer ${this.credentials.cli_token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} /api${route}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as ReceivedResponse;
  }

  async createCluster(name: string): Promise<string> {
    return (await this.manage<{ cluster_id: string }>('POST', '/clusters', { name })).cluster_id;
  }
}

/** With the address that its credentials name. */
export class AddressClient extends RelayClient {
  constructor(readonly credentials: Credentials) {
    super();
  }

  get baseUrl(): string {
    return this.credentials.base_url;
  }
}
