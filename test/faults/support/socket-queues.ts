/** Bytes in the buffers of the operating system between the two ends of loopback connections (Linux). */
import { readFileSync } from 'node:fs';

/** Columns of /proc/net/tcp: `sl local_address rem_address st tx_queue:rx_queue …`, all hexadecimal; only established connections (01). */
const ROW = /^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) 01 ([0-9A-F]{8}):([0-9A-F]{8})/gm;

/**
 * Bytes that a server on `port` has written and that its clients have not read, by the port of the client, for connections that the
 * server has not closed. Bytes in transit between the two ends may count twice.
 */
export function unreadBytes(port: number): Map<number, number> {
  const rows = Array.from(
    readFileSync('/proc/net/tcp', 'latin1').matchAll(ROW),
    ([, local = '', remote = '', sent = '', received = '']) => ({
      from: parseInt(local, 16),
      to: parseInt(remote, 16),
      sent: parseInt(sent, 16),
      received: parseInt(received, 16),
    }),
  );
  const found = new Map(rows.filter(({ from }) => from === port).map(({ to, sent }) => [to, sent]));
  for (const { from, to, received } of rows) {
    const bytes = found.get(from);
    if (to === port && bytes !== undefined) found.set(from, bytes + received);
  }
  return found;
}
