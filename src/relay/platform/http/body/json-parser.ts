import { Worker } from 'node:worker_threads';
import type { JsonObject } from '../../../../kernel/json-object.js';
import type { ErrorCode } from '../../../../kernel/errors/error-catalogue.js';
import { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { countMembers, withoutRepeatedKeys } from '../../../../kernel/repeated-keys.js';

/** A function of a JSON object that runs in the thread that parses it, so that the object need not leave that thread. */
export interface JsonReading<Result> {
  /** URL of a module with `readJson(json, parameters)` for the worker; undefined when run from TypeScript, which a worker cannot load. */
  readonly module: string | undefined;
  /** Must be cloneable. */
  readonly parameters: unknown;
  /** The same in this thread. @throws FerryError */
  here(json: JsonObject): Result;
}

export interface JsonParseResult {
  /**
   * The same bytes, or others without the members whose key is repeated later, so that an engine sees what was checked. The argument must not
   * be used any more, because its memory may have been transferred.
   */
  readonly bytes: Buffer;
  /** Undefined: not JSON. Null: an object that was read in the worker. */
  readonly value: unknown;
  readonly read?: { readonly result: unknown };
}

interface WorkerResponse {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly value?: unknown;
  /** A key is repeated, and the worker runs from source, where it cannot load the module that removes it. */
  readonly repeats: boolean;
  readonly read?: { readonly result: unknown };
  readonly refusal?: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly param: string | null;
    readonly status: number;
  };
  readonly failure?: string;
}

interface Pending {
  readonly resolve: (result: JsonParseResult) => void;
  readonly reject: (error: Error) => void;
}

/** Parses JSON: short texts synchronously, long ones in a worker thread, which starts with the first of them. */
export class JsonParser {
  private worker: Worker | undefined;
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;

  constructor(private readonly inlineBytes: number) {}

  /**
   * @param colons of the text, outside of strings
   * @returns a promise where the worker does it, which rejects with what the reading throws
   */
  parse(bytes: Buffer, colons: number, reading?: JsonReading<unknown>): JsonParseResult | Promise<JsonParseResult> {
    if (bytes.byteLength > this.inlineBytes) return this.parseInWorker(bytes, colons, reading);
    const value = parseInline(bytes);
    return { bytes: repeatsKeys(value, colons) ? withoutRepeatedKeys(bytes) : bytes, value };
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
  }

  private parseInWorker(
    bytes: Buffer,
    colons: number,
    reading: JsonReading<unknown> | undefined,
  ): Promise<JsonParseResult> {
    const worker = (this.worker ??= this.startWorker());
    const id = (this.lastId += 1);
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      const inWorker = reading?.module === undefined ? {} : { module: reading.module, parameters: reading.parameters };
      worker.postMessage({ id, bytes, colons, ...inWorker }, [bytes.buffer as ArrayBuffer]);
    });
  }

  private startWorker(): Worker {
    const worker = new Worker(new URL('./json-parser.worker.js', import.meta.url));
    // Requests keep the process alive, not their worker.
    worker.unref();
    worker.on('message', ({ id, bytes, value, repeats, read, refusal, failure }: WorkerResponse) => {
      const waiting = this.pending.get(id);
      this.pending.delete(id);
      if (refusal !== undefined) {
        const { code, message, param, status } = refusal;
        waiting?.reject(new FerryError(code, message, { status, ...(param !== null && { param }) }));
      } else if (failure !== undefined) waiting?.reject(new Error('a body could not be parsed', { cause: failure }));
      else {
        const own = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        waiting?.resolve({
          bytes: repeats ? withoutRepeatedKeys(own) : own,
          value,
          ...(read !== undefined && { read }),
        });
      }
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

const repeatsKeys = (value: unknown, colons: number): boolean =>
  typeof value === 'object' && value !== null && countMembers(value) < colons;
