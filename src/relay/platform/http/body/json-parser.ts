import { Worker } from 'node:worker_threads';

export interface JsonParseResult {
  /** The bytes that were given. Those given must not be used any more: their memory may have travelled. */
  readonly bytes: Buffer;
  /** Undefined: not JSON. */
  readonly value: unknown;
}

interface Pending {
  readonly resolve: (result: JsonParseResult) => void;
  readonly reject: (error: Error) => void;
}

/** Parses JSON: short texts at once, long ones in a worker thread, which starts with the first of them. */
export class JsonParser {
  private worker: Worker | undefined;
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;

  constructor(private readonly inlineBytes: number) {}

  async parse(bytes: Buffer): Promise<JsonParseResult> {
    return bytes.byteLength <= this.inlineBytes ? { bytes, value: parseInline(bytes) } : this.parseInWorker(bytes);
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
  }

  private parseInWorker(bytes: Buffer): Promise<JsonParseResult> {
    const worker = (this.worker ??= this.startWorker());
    const id = (this.lastId += 1);
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      worker.postMessage({ id, bytes }, [bytes.buffer as ArrayBuffer]);
    });
  }

  private startWorker(): Worker {
    const worker = new Worker(new URL('./json-parser.worker.js', import.meta.url));
    // It serves requests, and those keep the process alive.
    worker.unref();
    worker.on('message', ({ id, bytes, value }: { id: number; bytes: Uint8Array; value?: unknown }) => {
      const waiting = this.pending.get(id);
      this.pending.delete(id);
      waiting?.resolve({ bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), value });
    });
    const onGone = (reason: unknown): void => {
      if (this.worker === worker) this.worker = undefined;
      const error = new Error('the JSON worker has stopped', { cause: reason });
      for (const waiting of this.pending.values()) waiting.reject(error);
      this.pending.clear();
    };
    worker.on('error', onGone).on('exit', onGone);
    return worker;
  }
}

function parseInline(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    return undefined;
  }
}
