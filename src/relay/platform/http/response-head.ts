import type { ServerResponse } from 'node:http';
import { requestIdPairs } from './request-id.js';

/** Names, in lower case, and values in turn. */
export type HeaderPairs = readonly string[];

/**
 * Writes the head of a node's response with the request id. As one list, because Node checks and copies each header twice when some are set
 * before, and keeps an object for them.
 * @param own of the format; a header of the response with the same name is left out
 */
export function writeResponseHead(
  res: ServerResponse,
  status: number,
  own: HeaderPairs,
  ofResponse: Readonly<Record<string, string>>,
  length: number | null = null,
): void {
  res.socket?.setNoDelay(true);
  const pairs = requestIdPairs(res);
  pairs.push(...own);
  for (const [name, value] of Object.entries(ofResponse)) if (!own.includes(name)) pairs.push(name, value);
  if (length !== null) pairs.push('content-length', `${length}`);
  res.writeHead(status, pairs);
}
