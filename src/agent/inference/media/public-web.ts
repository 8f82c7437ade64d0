/**
 * GETs from the public internet only: a request must not reach the node's private network (SSRF)
 * (docs/reference/translation.md#rejected-and-dropped-fields).
 */
import { Agent, type Dispatcher } from 'undici';
import { isPublicAddress } from '../../public-internet/public-address.js';
import { literalAddress, publicLookup, systemResolve, type Resolve } from '../../public-internet/public-lookup.js';

const MAX_REDIRECTS = 3;
const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_CONNECTION_MS = 1_000;
const CONNECTIONS_PER_HOST = 4;

interface FetchRefusalOptions extends ErrorOptions {
  /** The client's spelling is shown in errors. */
  readonly address?: string;
}

/** Completes "`field` …" for the client that named the address; never reveals what exists in the node's own network. */
export class FetchRefusal extends Error {
  override readonly name = 'FetchRefusal';
  readonly address: string | undefined;
  constructor(message: string, options: FetchRefusalOptions = {}) {
    super(message, options);
    this.address = options.address;
  }
}

export type WebResponse = Dispatcher.ResponseData;

export interface PublicWebOptions {
  readonly userAgent: string;
  /** Tests replace it; the default is {@link isPublicAddress}. */
  readonly isPublic?: (address: string) => boolean;
  /** Tests replace it; the default is the system's. */
  readonly resolve?: Resolve;
}

export class PublicWeb {
  private readonly agent: Agent;
  private readonly isPublic: (address: string) => boolean;

  constructor(private readonly options: PublicWebOptions) {
    this.isPublic = options.isPublic ?? isPublicAddress;
    this.agent = new Agent({
      connect: {
        timeout: CONNECT_TIMEOUT_MS,
        lookup: publicLookup({
          resolve: options.resolve ?? systemResolve,
          isPublic: this.isPublic,
          refusal: notPublic,
        }),
      },
      connections: CONNECTIONS_PER_HOST,
      keepAliveTimeout: IDLE_CONNECTION_MS,
    });
  }

  /** The response to a GET, after at most three redirects, each judged like the first address. @throws FetchRefusal */
  async get(address: string, accept: string, signal: AbortSignal): Promise<WebResponse> {
    let url = this.admitted(address);
    for (let redirects = 0; ; redirects += 1) {
      const response = await this.request(url, accept, signal);
      const { location } = response.headers;
      if (response.statusCode < 300 || response.statusCode >= 400 || typeof location !== 'string') return response;
      response.body.destroy();
      if (redirects === MAX_REDIRECTS) throw new FetchRefusal('has too many redirects');
      url = this.admitted(location, url);
    }
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async request(url: URL, accept: string, signal: AbortSignal): Promise<WebResponse> {
    const response = await this.agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: { accept, 'accept-encoding': 'identity', 'user-agent': this.options.userAgent },
      signal,
    });
    // A body that is given up emits an error, which would end the process; the reader gets it nevertheless.
    response.body.on('error', () => undefined);
    return response;
  }

  /** A host that is an address is never looked up, so it is judged here. */
  private admitted(address: string, base?: URL): URL {
    const url = URL.canParse(address, base?.href) ? new URL(address, base?.href) : undefined;
    if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
      throw new FetchRefusal('is not an http(s) address');
    }
    if (url.username !== '' || url.password !== '') throw new FetchRefusal('must not contain a user or password');
    const literal = literalAddress(url);
    if (literal !== undefined && !this.isPublic(literal)) throw notPublic();
    return url;
  }
}

const notPublic = (): FetchRefusal => new FetchRefusal('is not an address on the public internet');
