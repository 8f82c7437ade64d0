/** Downloads a file, resuming it after lost connections. */
import type { FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fullJitterMs } from '../../../../kernel/backoff.js';
import { OperationFailure, type OperationContext } from '../../engine-management.js';
import { sizeText } from '../size-text.js';
import { fileDigest } from './file-digest.js';
import type { ModelSource } from './model-source.js';
import type { PartFile, PartOrigin } from './part-file.js';
import { OutOfRange, type RemoteFile, type RemoteFiles } from './remote-file.js';
import { DiskSpace, type FreeDiskBytes } from './disk-space.js';
import { diskFailure, networkFailure, progress, TransferBroken } from './transfer-failure.js';

const GGUF_MAGIC = Buffer.from('GGUF', 'latin1');
/** Consecutive attempts without a new byte. */
const MAX_FRUITLESS_ATTEMPTS = 4;
const RETRY_BACKOFF = { baseMs: 1_000, maxMs: 15_000 };

export interface DownloadOptions {
  readonly remote: RemoteFiles;
  readonly freeDiskBytes: FreeDiskBytes;
  readonly maxBytes: number;
  readonly retryBackoff?: { readonly baseMs: number; readonly maxMs: number };
}

/** Downloads and verifies a file into `part`, which stays for a resume after a failure, unless its content is wrong. */
export class Download {
  private readonly diskSpace: DiskSpace;
  private written = 0;

  constructor(
    private readonly source: ModelSource,
    private readonly part: PartFile,
    private readonly context: OperationContext,
    private readonly options: DownloadOptions,
  ) {
    this.diskSpace = new DiskSpace(part.directory, options.freeDiskBytes);
  }

  /** @throws OperationFailure, the signal's reason */
  async run(): Promise<void> {
    const { retryBackoff = RETRY_BACKOFF } = this.options;
    const { signal } = this.context;
    for (let fruitless = 0; ; fruitless += 1) {
      const before = this.written;
      try {
        const origin = await this.transfer();
        await this.verify(origin);
        return;
      } catch (error) {
        signal.throwIfAborted();
        const broken = brokenBy(error, this.source);
        if (broken === undefined) throw diskFailure(error, this.part.directory) ?? error;
        if (this.written > before) fruitless = 0;
        if (fruitless + 1 >= MAX_FRUITLESS_ATTEMPTS) throw networkFailure(broken);
        this.context.report(progress('waiting for the network', this.written, null));
        await delay(fullJitterMs(fruitless, retryBackoff, Math.random), undefined, { signal }).catch(() => undefined);
        signal.throwIfAborted();
      }
    }
  }

  private async transfer(): Promise<PartOrigin> {
    const { source, part } = this;
    const there = await part.resumable(source.label);
    // Without an ETag the rest could be of another file, which only a digest would detect.
    const isUsable =
      there !== undefined &&
      there.bytes >= GGUF_MAGIC.length &&
      (there.etag !== null || (source.sha256 ?? there.sha256) !== null);
    if (!isUsable) return this.receive(await this.open(0, null), 0);
    this.written = there.bytes;
    if (there.bytes === there.totalBytes) return there;
    let file: RemoteFile;
    try {
      file = await this.open(there.bytes, there.etag);
    } catch (error) {
      if (!(error instanceof OutOfRange)) throw error;
      if (error.totalBytes === there.bytes) return there;
      return this.receive(await this.open(0, null), 0);
    }
    const isSame = file.offset > 0 && (file.sha256 ?? there.sha256) === there.sha256 && fits(file, there);
    if (isSame || file.offset === 0) return this.receive(file, file.offset);
    file.body.destroy();
    return this.receive(await this.open(0, null), 0);
  }

  private open(offset: number, etag: string | null): Promise<RemoteFile> {
    return this.options.remote.open(this.source, { offset, etag }, this.context.signal);
  }

  private async receive(file: RemoteFile, from: number): Promise<PartOrigin> {
    const { source, part } = this;
    const origin = { source: source.label, etag: file.etag, sha256: file.sha256, totalBytes: file.totalBytes };
    let handle: FileHandle | undefined;
    try {
      this.written = from;
      this.checkSize(file.totalBytes ?? from);
      await this.diskSpace.check(from, file.totalBytes);
      handle = await (from === 0 ? part.begin(origin) : part.goOn(origin));
      await this.write(file, handle);
      await handle.sync();
      return { ...origin, totalBytes: this.written };
    } finally {
      file.body.destroy();
      await handle?.close();
    }
  }

  private async write(file: RemoteFile, handle: FileHandle): Promise<void> {
    const { signal, report } = this.context;
    const { totalBytes } = file;
    let head = Buffer.alloc(0);
    try {
      for await (const chunk of file.body as AsyncIterable<Buffer>) {
        signal.throwIfAborted();
        if (this.written < GGUF_MAGIC.length) {
          head = Buffer.concat([head, chunk.subarray(0, GGUF_MAGIC.length)]);
          this.checkMagic(head);
        }
        await this.diskSpace.check(this.written, totalBytes);
        await handle.appendFile(chunk);
        this.written += chunk.length;
        this.checkSize(this.written);
        report(progress('downloading', this.written, totalBytes));
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof OperationFailure || diskFailure(error, this.part.directory) !== undefined) throw error;
      throw new TransferBroken(this.source.label, error);
    }
    if (totalBytes !== null && this.written !== totalBytes) {
      throw new TransferBroken(this.source.label, `${this.written} of ${totalBytes} bytes arrived`);
    }
  }

  /** Checks the first bytes, so that an error page is not downloaded as a model. */
  private checkMagic(head: Buffer): void {
    const length = Math.min(head.length, GGUF_MAGIC.length);
    if (head.subarray(0, length).equals(GGUF_MAGIC.subarray(0, length))) return;
    throw new OperationFailure('invalid_source', `${this.source.label} is not a GGUF file`);
  }

  private checkSize(bytes: number): void {
    const { maxBytes } = this.options;
    if (bytes <= maxBytes) return;
    throw new OperationFailure(
      'unsupported',
      `${this.source.label} has ${sizeText(bytes)}, more than the ${sizeText(maxBytes)} that this node accepts (max_model_bytes)`,
    );
  }

  private async verify(origin: PartOrigin): Promise<void> {
    const { source, part, context } = this;
    const expected = source.sha256 ?? origin.sha256;
    if (expected === null) return;
    const { signal, report } = context;
    const onRead = (bytes: number): void => {
      report(progress('verifying', bytes, origin.totalBytes));
    };
    const actual = await fileDigest(part.path, { signal, onRead });
    if (actual === expected) return;
    await part.discard();
    throw new OperationFailure(
      'checksum_mismatch',
      `${source.label} has the SHA-256 ${actual}, not ${expected}: the download was deleted`,
    );
  }
}

const fits = (file: RemoteFile, there: PartOrigin): boolean =>
  file.totalBytes === null || there.totalBytes === null || file.totalBytes === there.totalBytes;

function brokenBy(error: unknown, source: ModelSource): TransferBroken | undefined {
  if (error instanceof TransferBroken) return error;
  // A request for the whole file was refused as out of range.
  return error instanceof OutOfRange ? new TransferBroken(source.label, error) : undefined;
}
