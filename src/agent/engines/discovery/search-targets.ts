/**
 * Places that discovery searches: default ports of engines, on this computer only (docs/reference/engines.md#known-engines).
 */
import { isIP } from 'node:net';
import os from 'node:os';

/** Ollama, LM Studio, llama.cpp and LocalAI, vLLM, SGLang, Jan, and the port next to llama.cpp's. */
export const DISCOVERY_PORTS: readonly number[] = [11_434, 1_234, 8_080, 8_000, 30_000, 1_337, 8_081];

export interface SearchTarget {
  /** Ways to the same port, in the order in which they are tried. */
  readonly urls: readonly URL[];
  /** Named by the owner: never given up, and its problems are logged. */
  readonly pinned: boolean;
}

/** @param taken addresses of engines that the node has already */
export function loopbackTargets(ports: readonly number[], taken: readonly URL[]): SearchTarget[] {
  const hosts = ['127.0.0.1', '[::1]'];
  return [...new Set(ports)]
    .map((port) => ({ urls: hosts.map((host) => new URL(`http://${host}:${String(port)}`)), pinned: false }))
    .filter(({ urls }) => !urls.some((url) => taken.some((other) => sameEndpoint(url, other))));
}

export const pinnedTarget = (url: URL): SearchTarget => ({ urls: [url], pinned: true });

/** One engine has many names: `localhost`, 127.0.0.1 and the computer's own address in the network reach the same port. */
export function sameEndpoint(one: URL, other: URL): boolean {
  if (portOf(one) !== portOf(other)) return false;
  return hostOf(one) === hostOf(other) || (isThisComputer(one) && isThisComputer(other));
}

const portOf = ({ port, protocol }: URL): string => (port === '' ? (protocol === 'https:' ? '443' : '80') : port);

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').toLowerCase();

export function isThisComputer(url: URL): boolean {
  const host = hostOf(url);
  if (host === 'localhost' || host === '::1' || host === '0.0.0.0' || host === '::') return true;
  if (isIP(host) === 0) return host === os.hostname().toLowerCase();
  if (host.startsWith('127.')) return true;
  return Object.values(os.networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === host));
}
