import type { IncomingMessage } from 'node:http';

/**
 * True for a browser that opens an address: it names `text/html`, which SDKs and command-line clients do not (they send a JSON type or a
 * wildcard).
 */
export const wantsPage = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean =>
  (method === 'GET' || method === 'HEAD') && headers.accept?.toLowerCase().includes('text/html') === true;
