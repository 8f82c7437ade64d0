/** What lies in the buffers of the operating system between two ends of loopback connections (Linux). */
import { readFileSync } from 'node:fs';

/** Columns of /proc/net/tcp: `sl local_address rem_address st tx_queue:rx_queue …`, all hexadecimal; only what is established (01). */
const ROW = /^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) 01 ([0-9A-F]{8}):([0-9A-F]{8})/gm;

/** Bytes that a server on `port` has given to the system and that its clients have not read, by the port of the client. */
export function unreadBytes(port: number): Map<number, number> {
  const found = new Map<number, number>();
  const add = (client: number, bytes: number): void => void found.set(client, (found.get(client) ?? 0) + bytes);
  for (const [, local, remote, sent, received] of readFileSync('/proc/net/tcp', 'latin1').matchAll(ROW)) {
    const [from, to] = [parseInt(local ?? '', 16), parseInt(remote ?? '', 16)];
    if (from === port) add(to, parseInt(sent ?? '', 16));
    if (to === port) add(from, parseInt(received ?? '', 16));
  }
  return found;
}
