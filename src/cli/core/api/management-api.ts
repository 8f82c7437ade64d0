/** HTTP client for the relay's management API (`/api`): JSON requests and responses, problem+json errors, no retries. */
import type { EventSourceMessage } from 'eventsource-parser';
import { parseJson } from '../../../kernel/json-object.js';
import { CliError } from '../errors/cli-error.js';
import { exitCodes, type ExitCode } from '../errors/exit-codes.js';
import { readEvents, SilenceTimer } from './event-reader.js';
import type { ItemOf, ListPath, PathWith, RequestArgument, ResponseOf } from './management-api.types.js';
import { REQUEST_TIMEOUT_MS, unreachable } from './unreachable.js';

/** Until the relay has said how often it sends keep-alives: for the response, and for its first byte. */
const FEED_SILENCE_MS = 45_000;
/** One keep-alive may be late, another one lost with the connection of a proxy. */
const SILENT_INTERVALS = 3;
/** Yielded by {@link ManagementApi.events} itself once the relay has responded, like the `open` event of EventSource. */
export const FEED_OPEN = 'open';
/** Limit of fetched pages, so that a faulty relay cannot keep a command running for ever. */
const MAX_PAGES = 1_000;

interface Page<Row> {
  readonly data?: readonly Row[];
  readonly has_more?: unknown;
  readonly next_cursor?: unknown;
}

interface Problem {
  readonly code?: unknown;
  readonly detail?: unknown;
  readonly param?: unknown;
  readonly request_id?: unknown;
}

/** A request whose types are checked by the methods of {@link ManagementApi}. */
interface RequestParts {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly limit?: number | undefined;
  readonly whenMissing?: string | undefined;
}

/** The relay and the token. Without a token: public routes only. */
interface Endpoint {
  readonly baseUrl: string;
  readonly token?: string | undefined;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export class ManagementApi {
  constructor(
    private readonly connection: Endpoint,
    private readonly fetch: Fetch = globalThis.fetch,
  ) {}

  /** @param path as in the OpenAPI document @throws CliError, as every method of this class */
  get<Path extends PathWith<'get'>>(
    path: Path,
    ...[request]: RequestArgument<Path, 'get'>
  ): Promise<ResponseOf<Path, 'get'>> {
    return this.request('GET', path, request);
  }

  post<Path extends PathWith<'post'>>(
    path: Path,
    ...[request]: RequestArgument<Path, 'post'>
  ): Promise<ResponseOf<Path, 'post'>> {
    return this.request('POST', path, { body: {}, ...request });
  }

  patch<Path extends PathWith<'patch'>>(
    path: Path,
    ...[request]: RequestArgument<Path, 'patch'>
  ): Promise<ResponseOf<Path, 'patch'>> {
    return this.request('PATCH', path, { body: {}, ...request });
  }

  delete<Path extends PathWith<'delete'>>(
    path: Path,
    ...[request]: RequestArgument<Path, 'delete'>
  ): Promise<ResponseOf<Path, 'delete'>> {
    return this.request('DELETE', path, request);
  }

  /** The items of a list, across all its pages. `limit` is the maximum number of items (default: all). */
  async list<Path extends ListPath>(
    path: Path,
    ...[request]: RequestArgument<Path, 'get', { readonly limit?: number }>
  ): Promise<readonly ItemOf<Path>[]> {
    const { limit = Infinity, ...parts }: RequestParts = request ?? {};
    const rows: ItemOf<Path>[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const query = cursor === undefined ? parts.query : { ...parts.query, cursor };
      const response = await this.request<Page<ItemOf<Path>>>('GET', path, { ...parts, query });
      if (!Array.isArray(response.data)) throw unexpected(this.connection.baseUrl);
      rows.push(...(response.data as readonly ItemOf<Path>[]));
      if (response.has_more !== true || typeof response.next_cursor !== 'string' || rows.length >= limit) break;
      cursor = response.next_cursor;
    }
    return rows.slice(0, limit);
  }

  /** A response that is not JSON, such as CSV. */
  async text<Path extends PathWith<'get'>>(
    path: Path,
    accept: string,
    ...[request]: RequestArgument<Path, 'get'>
  ): Promise<string> {
    const { response, text } = await this.exchange('GET', addressOf(path, request), undefined, accept);
    if (!response.ok) throw failureOf(response, parseJson(text), this.connection.baseUrl, undefined);
    return text;
  }

  /**
   * Yields {@link FEED_OPEN}, then the events of a feed until it ends. A feed in which three keep-alives of the relay are missing is aborted.
   * @throws CliError as every method of this class, also when the connection is lost later
   */
  async *events<Path extends PathWith<'get'>>(
    path: Path,
    signal: AbortSignal,
    ...[request]: RequestArgument<Path, 'get'>
  ): AsyncGenerator<EventSourceMessage> {
    const { baseUrl } = this.connection;
    const silence = new SilenceTimer(FEED_SILENCE_MS);
    try {
      const response = await this.fetch(`${baseUrl}${addressOf(path, request)}`, {
        redirect: 'error',
        headers: { ...this.authorization(), accept: 'text/event-stream' },
        signal: AbortSignal.any([signal, silence.signal]),
      });
      if (!response.ok) throw failureOf(response, parseJson(await response.text()), baseUrl, undefined);
      if (response.body === null) throw unexpected(baseUrl);
      const keepAliveMs = Number(response.headers.get('x-ferry-keep-alive-ms'));
      if (keepAliveMs > 0) silence.limit(SILENT_INTERVALS * keepAliveMs);
      yield { id: undefined, event: FEED_OPEN, data: '' };
      yield* readEvents(response.body, {
        signals: [signal, silence.signal],
        onBytes: () => {
          silence.restart();
        },
      });
    } catch (error) {
      throw error instanceof CliError ? error : unreachable(baseUrl, error);
    } finally {
      silence.stop();
    }
  }

  private async request<Body>(method: string, path: string, parts: RequestParts = {}): Promise<Body> {
    const { baseUrl } = this.connection;
    const { body, whenMissing } = parts;
    const accept = 'application/json, application/problem+json';
    const { response, text } = await this.exchange(method, addressOf(path, parts), body, accept);
    const parsed = text === '' ? {} : parseJson(text);
    if (!response.ok) throw failureOf(response, parsed, baseUrl, whenMissing);
    if (parsed === undefined) throw unexpected(baseUrl);
    return parsed as Body;
  }

  private async exchange(
    method: string,
    path: string,
    body: unknown,
    accept: string,
  ): Promise<{ readonly response: Response; readonly text: string }> {
    const { baseUrl } = this.connection;
    try {
      const response = await this.fetch(`${baseUrl}${path}`, {
        method,
        // A redirect could carry the token to another server.
        redirect: 'error',
        headers: {
          ...this.authorization(),
          accept,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { response, text: await response.text() };
    } catch (error) {
      throw unreachable(baseUrl, error);
    }
  }

  private authorization(): { readonly authorization?: string } {
    const { token } = this.connection;
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  }
}

/** Path and query of a request. */
function addressOf(path: string, { path: names = {}, query = {} }: RequestParts = {}): string {
  const values = new Map(Object.entries(names));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? filled : `${filled}?${given.toString()}`;
}

function failureOf(response: Response, parsed: unknown, baseUrl: string, whenMissing: string | undefined): CliError {
  const problem = (parsed ?? {}) as Problem;
  const code = typeof problem.code === 'string' ? problem.code : `http_${String(response.status)}`;
  const param = typeof problem.param === 'string' ? problem.param : undefined;
  const message =
    typeof problem.detail === 'string'
      ? asTyped(problem.detail, param)
      : `the relay at ${baseUrl} answered ${String(response.status)}`;
  const requestId =
    typeof problem.request_id === 'string' ? problem.request_id : (response.headers.get('x-request-id') ?? undefined);
  if (response.status === 400 && param !== undefined) {
    const hint = choices[param] ?? 'another value; --help of the command says what it takes';
    return new CliError(code, exitCodes.usage, message, { hint, requestId });
  }
  const next = hintOf(response, code, baseUrl, whenMissing);
  return new CliError(code, exitCodeOf(response, code), message, { hint: next, requestId });
}

/** Parameters that the relay may require when a request is ambiguous. */
const choices: Readonly<Record<string, string>> = {
  model: 'ferry models list shows the selectors',
  node_id: 'choose one with --node NAME',
  engine: 'choose one with --engine NAME',
};

/** The command-line option of an API field whose name differs. */
const typedNames: Readonly<Record<string, string>> = {
  cluster_id: 'the cluster',
  cluster_ids: '--cluster',
  context_tokens: '--context',
  description: '--description',
  expires_in_seconds: '--expires',
  'limits.concurrency': '--concurrency',
  'limits.requests_per_minute': '--rpm',
  'limits.tokens_per_minute': '--tpm',
  node_id: 'the node',
  email: '--email',
  role: '--role',
  scopes: '--scope',
};

/** Replaces names of API fields in a message by command-line options. */
function asTyped(detail: string, param: string | undefined): string {
  const name = typedNames[param ?? ''];
  const field = (param ?? '').split('.').at(-1) ?? '';
  if (name === undefined) return detail;
  return detail.replace(new RegExp(`(each value in )?\\b${field}\\b`), name);
}

function exitCodeOf({ status, headers }: Response, code: string): ExitCode {
  if (code === 'node_offline') return exitCodes.noEligibleNode;
  if (status === 401) return exitCodes.notSignedIn;
  if (status === 404) return exitCodes.notFound;
  if (status === 503 && headers.has('x-ferry-reason')) return exitCodes.noEligibleNode;
  return exitCodes.failure;
}

function hintOf(
  { status, headers }: Response,
  code: string,
  baseUrl: string,
  whenMissing: string | undefined,
): string | undefined {
  switch (status) {
    case 401:
      return `ferry login ${baseUrl}  (on the computer of the relay ferry up signs in, too)`;
    case 403:
      return code === 'insufficient_role' ? 'ask an owner of the account; ferry whoami shows your role' : undefined;
    case 404:
      return whenMissing;
    case 429:
    case 503:
      return `again in ${headers.get('retry-after') ?? 'a few'} seconds`;
    default:
      return status < 500 ? undefined : 'ferry logs on the computer of the relay says more';
  }
}

/** Something else than a relay is there. */
export const unexpected = (baseUrl: string): CliError =>
  new CliError('unexpected_answer', exitCodes.failure, `${baseUrl} did not answer like a Ferry relay`, {
    hint: 'check --base-url and FERRY_BASE_URL',
  });
