/** The other end of the census that is loaded into a process under test. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';

export interface Counted {
  /** Objects that are alive after the garbage was collected, by what they are. */
  readonly counts: Readonly<Record<string, number>>;
  /** Resident memory after the garbage was collected, in bytes. */
  readonly rss: number;
  /** Heap and what it holds outside of itself, in bytes. */
  readonly used: number;
}

const preload = pathToFileURL(path.join(import.meta.dirname, 'census-process.mjs')).href;

export class Census {
  private readonly socketPath = path.join(tmpdir(), `ferry-census-${randomUUID().slice(0, 8)}.sock`);

  /** For the process to be counted. */
  get env(): Record<string, string> {
    return { NODE_OPTIONS: `--import=${preload}`, CENSUS_SOCKET: this.socketPath };
  }

  async take(): Promise<Counted> {
    const socket = connect(this.socketPath);
    await once(socket, 'connect');
    let text = '';
    for await (const part of socket.setEncoding('utf8')) text += String(part);
    return JSON.parse(text) as Counted;
  }
}
