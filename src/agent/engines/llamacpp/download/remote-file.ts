/** A file on a web server, requested from a byte offset, over redirects that stay on https. */
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { EnvHttpProxyAgent, request, type Dispatcher } from 'undici';
import { isPublicAddress } from '../../../public-internet/public-address.js';
import { literalAddress, publicLookup, systemResolve, type Resolve } from '../../../public-internet/public-lookup.js';
import type { InstallSources } from '../../engine-kind.js';
import { OperationFailure } from '../../engine-management.js';
import { isLoopback } from '../../../connection/relay-address.js';
import type { ModelSource } from './model-source.js';
import { forbiddenAddress, refusalOf, SourceUnreachable } from './transfer-failure.js';

const MAX_REDIRECTS = 5;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
const SHA256 = /^"?([0-9a-f]{64})"?$/i;

interface RemoteFileOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  readonly installSources: InstallSources;
  /** Tests replace it; the default is that of the system. */
  readonly resolve?: Resolve;
  readonly connectTimeoutMs?: number;
  /** Timeout of the response headers, and between two chunks of the body. */
  readonly stallTimeoutMs?: number;
}

const DEFAULT_CONNECT_TIMEOUT_MS = 10_000;
const DEFAULT_STALL_TIMEOUT_MS = 60_000;

export interface RemoteFile {
  /** First byte of the body. */
  readonly offset: number;
  /** Size of the whole file; null when unknown. */
  readonly totalBytes: number | null;
  /** Strong ETag: equal ones mean equal bytes. */
  readonly etag: string | null;
  /** Digest of the whole file, if the hub reports it. */
  readonly sha256: string | null;
  readonly body: Readable;
}

interface RangeRequested {
  readonly offset: number;
  /** The server answers with the whole file when its ETag has changed. */
  readonly etag: string | null;
}

/** The file has no byte at the offset. */
export class OutOfRange extends Error {
  override readonly name = 'OutOfRange';
  constructor(readonly totalBytes: number | null) {
    super('the server does not have the requested range');
  }
}

export class RemoteFiles {
  private readonly resolve: Resolve;
  /** A proxy resolves names itself. */
  private readonly hasProxy: boolean;
  private readonly anywhere: Dispatcher;
  private readonly publicOnly: Dispatcher;

  constructor(private readonly options: RemoteFileOptions) {
    const { env, connectTimeoutMs = DEFAULT_CONNECT_TIMEOUT_MS, stallTimeoutMs = DEFAULT_STALL_TIMEOUT_MS } = options;
    const setting = (name: string): string => env[name] ?? env[name.toUpperCase()] ?? '';
    const proxies = { httpProxy: setting('http_proxy'), httpsProxy: setting('https_proxy') };
    const agent = (connect: { readonly lookup?: LookupFunction }): Dispatcher =>
      new EnvHttpProxyAgent({
        ...proxies,
        noProxy: setting('no_proxy'),
        allowH2: false,
        headersTimeout: stallTimeoutMs,
        bodyTimeout: stallTimeoutMs,
        connect: { ...connect, timeout: connectTimeoutMs },
      });
    this.resolve = options.resolve ?? systemResolve;
    this.hasProxy = proxies.httpProxy !== '' || proxies.httpsProxy !== '';
    this.anywhere = agent({});
    this.publicOnly = agent({
      lookup: publicLookup({
        resolve: this.resolve,
        isPublic: isPublicAddress,
        refusal: () => new Error('the name does not resolve to a public address'),
      }),
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.anywhere.destroy(), this.publicOnly.destroy()]);
  }

  /** The properties of the file without its body. @throws as {@link open} */
  async describe(source: ModelSource, signal: AbortSignal): Promise<Omit<RemoteFile, 'body'>> {
    const { body, ...about } = await this.ask('HEAD', source, { offset: 0, etag: null }, signal);
    body.destroy();
    return about;
  }

  /** @throws OperationFailure when a retry is useless, {@link TransferBroken} when it may help, {@link OutOfRange}; the signal's reason */
  open(source: ModelSource, wanted: RangeRequested, signal: AbortSignal): Promise<RemoteFile> {
    return this.ask('GET', source, wanted, signal);
  }

  private async ask(
    method: 'GET' | 'HEAD',
    source: ModelSource,
    wanted: RangeRequested,
    signal: AbortSignal,
  ): Promise<RemoteFile> {
    let { url } = source;
    await this.admit(url, source);
    let sha256: string | null = null;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const response = await this.send(method, url, source, wanted, signal);
      // From the hub only: the ETag of the storage behind it is not a digest.
      if (url.origin === source.hub.origin) sha256 ??= hubDigest(response);
      if (!REDIRECT_STATUSES.has(response.statusCode)) return remoteFile(response, { url, source, wanted, sha256 });
      response.body.destroy();
      url = redirectTarget(response, url, source);
      await this.admit(url, source);
    }
    throw new OperationFailure('invalid_source', `${source.label} redirects more than ${MAX_REDIRECTS} times`);
  }

  /** Admins of the account choose addresses, but only the owner of the computer may allow those of private networks. */
  private mayBeAnywhere(url: URL, { hub }: ModelSource): boolean {
    return this.options.installSources === 'private' || (hub.isOwners && url.origin === hub.origin);
  }

  /**
   * Refuses forbidden addresses before connecting; names are checked at the connection. With a proxy, which connects itself, a name is
   * resolved and checked here as well; the proxy's own rules apply to the rest.
   * @throws OperationFailure, SourceUnreachable
   */
  private async admit(url: URL, source: ModelSource): Promise<void> {
    if (this.mayBeAnywhere(url, source)) return;
    if (url.protocol !== 'https:') throw forbiddenAddress(source.label);
    const literal = literalAddress(url);
    if (literal !== undefined && !isPublicAddress(literal)) throw forbiddenAddress(source.label);
    if (!this.hasProxy || literal !== undefined) return;
    const addresses = await new Promise<readonly { readonly address: string }[]>((resolve) => {
      this.resolve(url.hostname, (error, found) => {
        resolve(error === null ? found : []);
      });
    });
    if (addresses.some(({ address }) => !isPublicAddress(address)))
      throw new SourceUnreachable(source.label, 'private');
  }

  private async send(
    method: 'GET' | 'HEAD',
    url: URL,
    source: ModelSource,
    { offset, etag }: RangeRequested,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { hub, label } = source;
    try {
      const response = await request(url, {
        dispatcher: this.mayBeAnywhere(url, source) ? this.anywhere : this.publicOnly,
        method,
        signal,
        headers: {
          'accept-encoding': 'identity',
          'user-agent': this.options.userAgent,
          ...(hub.token !== null && url.origin === hub.origin && { authorization: `Bearer ${hub.token}` }),
          ...(offset > 0 && { range: `bytes=${offset}-`, ...(etag !== null && { 'if-range': etag }) }),
        },
      });
      // An abandoned body emits an error, which would end the process without a listener; readers still get it.
      response.body.on('error', () => undefined);
      return response;
    } catch (error) {
      signal.throwIfAborted();
      throw new SourceUnreachable(label, error);
    }
  }
}

const headerOf = ({ headers }: Dispatcher.ResponseData, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

const hubDigest = (response: Dispatcher.ResponseData): string | null =>
  SHA256.exec(headerOf(response, 'x-linked-etag') ?? headerOf(response, 'etag') ?? '')?.[1]?.toLowerCase() ?? null;

function redirectTarget(response: Dispatcher.ResponseData, from: URL, { label }: ModelSource): URL {
  const location = headerOf(response, 'location') ?? '';
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (to === undefined) throw new OperationFailure('invalid_source', `${label} redirects without a location`);
  const fromLoopback = from.protocol === 'http:';
  if (to.protocol === 'https:' || (fromLoopback && to.protocol === 'http:' && isLoopback(to.hostname))) return to;
  throw new OperationFailure('invalid_source', `${label} redirects to ${to.origin}, which is not https`);
}

function remoteFile(
  response: Dispatcher.ResponseData,
  asked: {
    readonly url: URL;
    readonly source: ModelSource;
    readonly wanted: RangeRequested;
    readonly sha256: string | null;
  },
): RemoteFile {
  const { source, wanted, sha256 } = asked;
  try {
    const offset = firstByte(response, wanted);
    const encoding = headerOf(response, 'content-encoding') ?? 'identity';
    if (encoding !== 'identity') {
      throw new OperationFailure('invalid_source', `${source.label} is sent with the content encoding ${encoding}`);
    }
    const etag = headerOf(response, 'etag') ?? null;
    return {
      offset,
      totalBytes: totalOf(response, offset),
      etag: etag === null || etag.startsWith('W/') ? null : etag,
      sha256,
      body: response.body,
    };
  } catch (error) {
    response.body.destroy();
    throw error instanceof RefusedStatus ? refusalOf(response.statusCode, source) : error;
  }
}

class RefusedStatus extends Error {}

/** The offset of the body, from `bytes 100-199/200` or `bytes * /200`. @throws OutOfRange, RefusedStatus */
function firstByte(response: Dispatcher.ResponseData, { offset }: RangeRequested): number {
  if (response.statusCode === 200) return 0;
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(headerOf(response, 'content-range') ?? '');
  const total = range?.[2] === undefined || range[2] === '*' ? null : Number(range[2]);
  if (response.statusCode === 416) throw new OutOfRange(total);
  if (response.statusCode !== 206) throw new RefusedStatus();
  // A range that was not requested is treated like a changed file.
  if (Number(range?.[1] ?? NaN) !== offset) throw new OutOfRange(null);
  return offset;
}

function totalOf(response: Dispatcher.ResponseData, offset: number): number | null {
  if (response.statusCode === 206) {
    const total = /\/(\d+)$/.exec(headerOf(response, 'content-range') ?? '')?.[1];
    if (total !== undefined) return Number(total);
  }
  const length = headerOf(response, 'content-length');
  return length === undefined ? null : offset + Number(length);
}
