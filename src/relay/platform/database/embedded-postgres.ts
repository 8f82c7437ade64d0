import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Duplex } from 'node:stream';
import { EmbeddedConnection } from './embedded-connection.js';

export interface EmbeddedPostgresOptions {
  /** Folder of the database; absent: in memory. */
  readonly dataDir?: string;
  /** Initial contents (`PGlite.dumpDataDir`): half a second instead of an initdb of several seconds. */
  readonly loadDataDir?: Blob;
}

type FromWorker =
  | 'ready'
  | 'stopped'
  | { readonly id: number; readonly bytes: Uint8Array }
  | { readonly id: number; readonly failed: string };

/** PGlite in a worker thread, behind `pg`. One session, so a pool over it must have the size 1. */
export class EmbeddedPostgres {
  private connection: { readonly id: number; readonly stream: EmbeddedConnection } | undefined;
  private lastId = 0;
  private gone: Error | undefined;

  private constructor(private readonly worker: Worker) {
    worker.on('message', (message: FromWorker) => {
      this.receive(message);
    });
    // Without a listener an error in the worker would end the process; like a server that crashed, it ends the connection.
    worker.on('error', (error) => {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    });
    worker.on('exit', () => {
      this.fail(new Error('Connection terminated: the embedded database has stopped'));
    });
  }

  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    // The same names as `pg` sends when it connects.
    const workerData = { ...options, username: 'postgres', database: 'postgres' };
    const worker = new Worker(new URL('./pglite.worker.js', import.meta.url), { workerData });
    // Rejects when PGlite cannot open the folder.
    await once(worker, 'message');
    return new EmbeddedPostgres(worker);
  }

  /** The `stream` option of `pg`: a new connection that takes over the session. */
  readonly createStream = (): Duplex => {
    const id = (this.lastId += 1);
    const stream = new EmbeddedConnection(id, {
      open: (opened) => {
        this.post({ open: opened });
      },
      send: (sender, bytes) => {
        this.post({ id: sender, bytes });
      },
      close: (closed) => {
        this.post({ close: closed });
      },
    });
    this.connection = { id, stream };
    const { gone } = this;
    if (gone !== undefined) process.nextTick(() => stream.destroy(gone));
    return stream;
  };

  /** Resolves when everything written so far is in the files. */
  async stop(): Promise<void> {
    if (this.gone !== undefined) return;
    const exit = once(this.worker, 'exit');
    this.worker.postMessage('stop');
    await exit;
  }

  private post(message: object): void {
    if (this.gone === undefined) this.worker.postMessage(message);
  }

  private receive(message: FromWorker): void {
    if (typeof message === 'string') return;
    // The connection was abandoned (query timeout): its response is dropped.
    if (message.id !== this.connection?.id) return;
    const { stream } = this.connection;
    if ('failed' in message) stream.destroy(new Error(`Connection terminated: ${message.failed}`));
    else stream.push(Buffer.from(message.bytes.buffer, message.bytes.byteOffset, message.bytes.byteLength));
  }

  private fail(error: Error): void {
    this.gone ??= error;
    this.connection?.stream.destroy(error);
  }
}
