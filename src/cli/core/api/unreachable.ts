import { CliError } from '../errors/cli-error.js';
import { exitCodes } from '../errors/exit-codes.js';

/** Limit of a request that is no stream. */
export const REQUEST_TIMEOUT_MS = 30_000;

/** A request that got no response: why, and what to do. */
export function unreachable(baseUrl: string, error: unknown): CliError {
  const timedOut = error instanceof Error && error.name === 'TimeoutError';
  const message = timedOut
    ? `the relay at ${baseUrl} did not answer within ${String(REQUEST_TIMEOUT_MS / 1_000)} seconds`
    : `cannot reach the relay at ${baseUrl}${reasonOf(error)}`;
  return new CliError('relay_unreachable', exitCodes.unreachable, message, {
    hint: adviceOn(codeOf(error), baseUrl),
    cause: error,
  });
}

const NOT_RUNNING = 'is it running? ferry up starts one here; --base-url names another';

function adviceOn(code: string | undefined, baseUrl: string): string {
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `is ${new URL(baseUrl).hostname} spelled right, and is this computer online?`;
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'EPROTO':
      return `there is no TLS on that port: ${baseUrl.replace(/^https:/, 'http:')}`;
    case 'HPE_INVALID_CONSTANT':
    case 'UND_ERR_SOCKET':
      return baseUrl.startsWith('http:') ? `if it has TLS: ${baseUrl.replace(/^http:/, 'https:')}` : NOT_RUNNING;
    default:
      return code?.includes('CERT') === true ? `ferry doctor ${baseUrl}` : NOT_RUNNING;
  }
}

/** The message of fetch is only "fetch failed"; the reason is in its cause. */
function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return code === undefined ? '' : ` (${code})`;
}

const codeOf = (error: unknown): string | undefined =>
  (error as { cause?: NodeJS.ErrnoException } | undefined)?.cause?.code;
