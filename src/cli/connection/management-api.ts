/** The relay's management API (`/api`) as the command line uses it: JSON in and out, problem+json on failure, nothing retried. */
import { CliError } from '../failure/cli-error.js';
import { exitCodes, type ExitCode } from '../failure/exit-codes.js';
import type { Connection } from './find-connection.js';

const REQUEST_TIMEOUT_MS = 30_000;

interface Problem {
  readonly code?: unknown;
  readonly detail?: unknown;
  readonly request_id?: unknown;
}

interface RequestParts {
  readonly body?: object;
  readonly whenMissing?: string | undefined;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export class ManagementApi {
  constructor(
    private readonly connection: Connection,
    private readonly fetch: Fetch = globalThis.fetch,
  ) {}

  /** @throws CliError as every method here; `path` begins with `/api` */
  get<Body>(path: string): Promise<Body> {
    return this.request('GET', path, {});
  }

  /** @param whenMissing what to do next where the answer is 404 */
  post<Body>(path: string, body: object, whenMissing?: string): Promise<Body> {
    return this.request('POST', path, { body, whenMissing });
  }

  /** @param whenMissing what to do next where the answer is 404 */
  delete<Body>(path: string, whenMissing?: string): Promise<Body> {
    return this.request('DELETE', path, { whenMissing });
  }

  /** The `data` of a list answer. */
  async list<Row>(path: string): Promise<readonly Row[]> {
    const { data } = await this.get<{ data?: readonly Row[] }>(path);
    if (!Array.isArray(data)) throw unexpected(this.connection.baseUrl);
    return data as readonly Row[];
  }

  private async request<Body>(method: string, path: string, { body, whenMissing }: RequestParts): Promise<Body> {
    const { baseUrl, token } = this.connection;
    let response: Response;
    let text: string;
    try {
      response = await this.fetch(`${baseUrl}${path}`, {
        method,
        // A redirect could carry the token to another server.
        redirect: 'error',
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json, application/problem+json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      text = await response.text();
    } catch (error) {
      throw unreachable(baseUrl, error);
    }
    const parsed = text === '' ? {} : parseJson(text);
    if (!response.ok) throw failureOf(response, parsed, baseUrl, whenMissing);
    if (parsed === undefined) throw unexpected(baseUrl);
    return parsed as Body;
  }
}

function failureOf(response: Response, parsed: unknown, baseUrl: string, whenMissing: string | undefined): CliError {
  const problem = (parsed ?? {}) as Problem;
  const code = typeof problem.code === 'string' ? problem.code : `http_${String(response.status)}`;
  const message =
    typeof problem.detail === 'string' ? problem.detail : `the relay at ${baseUrl} answered ${String(response.status)}`;
  const requestId =
    typeof problem.request_id === 'string' ? problem.request_id : (response.headers.get('x-request-id') ?? undefined);
  return new CliError(code, exitCodeOf(response), message, { hint: hintOf(response, whenMissing), requestId });
}

function exitCodeOf({ status, headers }: Response): ExitCode {
  if (status === 401) return exitCodes.notSignedIn;
  if (status === 404) return exitCodes.notFound;
  if (status === 503 && headers.has('x-ferry-reason')) return exitCodes.noEligibleNode;
  return exitCodes.failure;
}

function hintOf({ status, headers }: Response, whenMissing: string | undefined): string | undefined {
  switch (status) {
    case 401:
      return 'ferry up (on the computer of the relay) signs in again, or pass --token';
    case 404:
      return whenMissing;
    case 429:
    case 503:
      return `again in ${headers.get('retry-after') ?? 'a few'} seconds`;
    default:
      return undefined;
  }
}

function unreachable(baseUrl: string, error: unknown): CliError {
  const timedOut = error instanceof Error && error.name === 'TimeoutError';
  const message = timedOut
    ? `the relay at ${baseUrl} did not answer within ${String(REQUEST_TIMEOUT_MS / 1_000)} seconds`
    : `cannot reach the relay at ${baseUrl}${reasonOf(error)}`;
  return new CliError('relay_unreachable', exitCodes.unreachable, message, {
    hint: 'is it running? ferry up starts one here; --base-url names another',
    cause: error,
  });
}

/** fetch says only "fetch failed"; the reason that helps is in its cause. */
function reasonOf(error: unknown): string {
  const code = (error as { cause?: NodeJS.ErrnoException } | undefined)?.cause?.code;
  return code === undefined ? '' : ` (${code})`;
}

const unexpected = (baseUrl: string): CliError =>
  new CliError('unexpected_answer', exitCodes.failure, `${baseUrl} did not answer like a Ferry relay`, {
    hint: 'check --base-url and FERRY_BASE_URL',
  });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
