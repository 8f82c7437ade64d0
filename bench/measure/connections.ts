/** TCP connections of a process as the operating system reports them (Linux `/proc`). */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const ESTABLISHED = '01';

/** @param port of the other end, over IPv4 */
export function connectionsTo(port: number, pid: number): number {
  const own = new Set(socketsOf(pid));
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, , remote, state, , , , , , inode]) =>
        state === ESTABLISHED && Number.parseInt(remote?.split(':')[1] ?? '', 16) === port && own.has(inode ?? ''),
    ).length;
}

function* socketsOf(pid: number): Iterable<string> {
  for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1];
      if (inode !== undefined) yield inode;
    } catch {
      // Closed meanwhile.
    }
  }
}
