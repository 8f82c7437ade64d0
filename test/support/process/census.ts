/** Client of the census (census-process.mjs) that is loaded into a process under test. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { preloadedWith } from './ferry-process.js';

export interface Counted {
  /** Live objects after garbage collection, by class. */
  readonly counts: Readonly<Record<string, number>>;
  /** Resident memory after garbage collection, in bytes. */
  readonly rss: number;
  /** Heap and off-heap memory, in bytes. */
  readonly used: number;
}

const preload = new URL('./census-process.mjs', import.meta.url);

export class Census {
  private readonly socketPath = path.join(tmpdir(), `ferry-census-${randomUUID().slice(0, 8)}.sock`);

  /** Environment of the process to count. */
  get env(): Record<string, string> {
    return { ...preloadedWith(preload), CENSUS_SOCKET: this.socketPath };
  }

  async take(): Promise<Counted> {
    const socket = connect(this.socketPath);
    await once(socket, 'connect');
    let text = '';
    for await (const part of socket.setEncoding('utf8')) text += String(part);
    return JSON.parse(text) as Counted;
  }
}
