/** Client of the allocation meter (metered-process.mjs) that is loaded into a process under test. */
import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Allocated {
  readonly bytes: number;
  /** Functions with the bytes that they allocated; most first. */
  readonly top: readonly (readonly [place: string, bytes: number])[];
}

const preload = pathToFileURL(path.join(import.meta.dirname, 'metered-process.mjs')).href;

export class AllocationMeter {
  constructor(private readonly socketPath: string) {}

  /** Environment of the process to measure. */
  get env(): Record<string, string> {
    return {
      NODE_OPTIONS: `--import=${preload}`,
      ALLOCATION_METER_SOCKET: this.socketPath,
    };
  }

  async start(): Promise<void> {
    await this.say('start');
  }

  async stop(): Promise<Allocated> {
    return JSON.parse(await this.say('stop')) as Allocated;
  }

  /** From now on, 200 numbers are allocated needlessly with every write to a socket. */
  async waste(): Promise<void> {
    await this.say('waste');
  }

  /** Bytes in use after a full collection, on the heap and off-heap. */
  async liveBytes(): Promise<number> {
    return (JSON.parse(await this.say('live')) as Allocated).bytes;
  }

  /** Resident bytes without the young generation, whose size depends on the version of V8 and not on what the process holds. */
  async residentBytes(): Promise<number> {
    return (JSON.parse(await this.say('resident')) as Allocated).bytes;
  }

  private async say(word: 'start' | 'stop' | 'live' | 'resident' | 'waste'): Promise<string> {
    const socket = connect(this.socketPath);
    await once(socket, 'connect');
    socket.write(word);
    let text = '';
    for await (const part of socket.setEncoding('utf8')) text += String(part);
    return text;
  }
}
