/** Failures of a download, with messages for the owner. */
import { OperationFailure, type OperationProgress } from '../../engine-management.js';
import type { ModelSource } from './model-source.js';

/** A lost connection; a retry resumes the download. */
export class TransferBroken extends Error {
  override readonly name = 'TransferBroken';
  constructor(
    readonly label: string,
    cause: unknown,
  ) {
    super(`the download of ${label} was interrupted: ${reasonOf(cause)}`, { cause });
  }
}

/**
 * The server did not answer. One error for a closed port, another protocol, an unknown name and a forbidden address, so that admins of the
 * account cannot probe the node's network.
 */
export class SourceUnreachable extends TransferBroken {}

const unreachable = (label: string, cause?: unknown): OperationFailure =>
  new OperationFailure(
    'network',
    `${label} cannot be reached by this node, or is not at an allowed address. Allowed are public addresses over https, ` +
      'and private ones if the owner of the node has set FERRY_NODE_INSTALL_SOURCES=private. The partial download is kept: install again to resume.',
    { cause },
  );

/** The address is forbidden; no connection was made. */
export const forbiddenAddress = (label: string): OperationFailure => unreachable(label);

/** Handles every status except success and redirect. */
export function refusalOf(status: number, { label, hub, url }: ModelSource): OperationFailure | TransferBroken {
  if (status === 404 || status === 410)
    return new OperationFailure('unknown_model', `there is no ${label} (${status})`);
  if (status === 401 || status === 403) {
    const onHub = url.origin === hub.origin;
    const advice = hub.token === null ? 'set HF_TOKEN on the node' : 'check that HF_TOKEN on the node has access to it';
    return new OperationFailure(
      'unknown_model',
      `${label} does not exist or is not public (${status})${onHub ? `: accept the terms of the model, and ${advice}` : ''}`,
    );
  }
  if (status === 408 || status === 429 || status >= 500)
    return new TransferBroken(label, `the server answers ${status}`);
  return new OperationFailure('invalid_source', `the server answers ${status} to ${label}`);
}

const NO_SPACE = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const NOT_WRITABLE = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'EIO',
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'EMFILE',
  'ENFILE',
  'EBUSY',
]);
/** System calls on files; connections fail with some of the same codes in other calls. */
const FILE_CALLS = new Set(['open', 'write', 'mkdir', 'rename', 'fsync', 'unlink', 'rm', 'statfs', 'stat']);

/** @returns undefined for an error that is not about the disk */
export function diskFailure(error: unknown, directory: string): OperationFailure | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const call = error instanceof Error && 'syscall' in error ? error.syscall : undefined;
  if (typeof code !== 'string' || typeof call !== 'string' || !FILE_CALLS.has(call)) return undefined;
  if (NO_SPACE.has(code))
    return new OperationFailure('disk_full', `the disk of ${directory} is full`, { cause: error });
  if (!NOT_WRITABLE.has(code)) return undefined;
  return new OperationFailure('engine_error', `cannot write in ${directory}: ${code}`, { cause: error });
}

export const networkFailure = (broken: TransferBroken): OperationFailure =>
  broken instanceof SourceUnreachable
    ? unreachable(broken.label, broken)
    : new OperationFailure('network', `${broken.message}. The partial download is kept: install again to resume.`, {
        cause: broken,
      });

export const progress = (phase: string, completedBytes: number, totalBytes: number | null): OperationProgress => ({
  phase,
  completedBytes,
  totalBytes,
});

function reasonOf(cause: unknown): string {
  if (typeof cause === 'string') return cause;
  if (!(cause instanceof Error)) return 'unknown reason';
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
  if (code === 'UND_ERR_BODY_TIMEOUT' || code === 'UND_ERR_HEADERS_TIMEOUT') return 'no data arrived for a while';
  return cause.message === '' ? (code ?? cause.name) : cause.message;
}
