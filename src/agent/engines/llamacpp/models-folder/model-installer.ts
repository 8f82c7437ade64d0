/** Installs a model file from a source into the models folder, atomically. */
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { OperationFailure, type OperationContext } from '../../engine-management.js';
import type { InstallSources } from '../../engine-kind.js';
import type { Resolve } from '../../../public-internet/public-lookup.js';
import { withdrawOffer } from '../../../../kernel/offered-files.js';
import { parseGgufName } from '../catalogue/gguf-identity.js';
import { Download, type DownloadOptions } from '../download/download.js';
import { fileDigest } from '../download/file-digest.js';
import { parseModelSource, type ModelSource } from '../download/model-source.js';
import { PartFile } from '../download/part-file.js';
import { freeDiskBytes, type FreeDiskBytes } from '../download/disk-space.js';
import { RemoteFiles } from '../download/remote-file.js';
import { diskFailure, networkFailure, progress, TransferBroken } from '../download/transfer-failure.js';
import { findOffered, isOffered, isSameFile, takeFile, type LocalFile } from './local-file.js';

export interface ModelInstallerOptions {
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  readonly installSources: InstallSources;
  /** Tests replace it; the default is that of the system. */
  readonly resolve?: Resolve;
  readonly maxModelBytes: number;
  readonly freeDiskBytes?: FreeDiskBytes;
  readonly retryBackoff?: DownloadOptions['retryBackoff'];
  readonly stallTimeoutMs?: number;
  /** @throws OperationFailure for a file that the engine cannot use */
  readonly inspect: (file: string, engineModel: string) => Promise<void>;
  /** Called after verification, before the model appears in the folder. */
  readonly onReady: (engineModel: string) => Promise<void>;
}

interface InstallJob {
  readonly source: ModelSource | LocalFile;
  readonly engineModel: string;
  readonly context: OperationContext;
  readonly remote: RemoteFiles;
}

export class ModelInstaller {
  private readonly inProgress = new Set<string>();

  constructor(private readonly options: ModelInstallerOptions) {}

  /**
   * @param isTaken whether another folder has a model of that name
   * @returns the engine's name of the model. @throws OperationFailure, the signal's reason
   */
  async install(text: string, context: OperationContext, isTaken: (engineModel: string) => boolean): Promise<string> {
    const { env } = this.options;
    const source = isOffered(text) ? await findOffered(text, env) : parseModelSource(text, env);
    const { engineModel } = parseGgufName(source.fileName);
    if (this.inProgress.has(engineModel)) {
      throw new OperationFailure('model_busy', `${engineModel} is already being installed`);
    }
    if (isTaken(engineModel)) throw nameTaken(engineModel);
    this.inProgress.add(engineModel);
    const { directory } = this.options;
    const remote = new RemoteFiles(this.options);
    const job = { source, engineModel, context, remote };
    try {
      await mkdir(directory, { recursive: true });
      if (!(await this.isThere(job))) await this.bring(job);
      if (isLocal(source)) await withdrawOffer(env, source.fileName);
      return engineModel;
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof TransferBroken) throw networkFailure(error);
      throw diskFailure(error, directory) ?? error;
    } finally {
      await remote.close();
      this.inProgress.delete(engineModel);
    }
  }

  private async bring({ source, engineModel, context, remote }: InstallJob): Promise<void> {
    const { directory, maxModelBytes, retryBackoff, inspect, onReady } = this.options;
    const part = new PartFile(directory, source.fileName);
    const limits = { maxBytes: maxModelBytes, freeDiskBytes: this.options.freeDiskBytes ?? freeDiskBytes };
    if (isLocal(source)) {
      await takeFile(source, part, context, limits);
    } else {
      const backoff = retryBackoff === undefined ? {} : { retryBackoff };
      await new Download(source, part, context, { remote, ...limits, ...backoff }).run();
    }
    try {
      await inspect(part.path, engineModel);
    } catch (error) {
      await part.discard();
      throw error;
    }
    context.signal.throwIfAborted();
    await onReady(engineModel);
    await part.complete();
  }

  /** True when the requested file is installed. @throws OperationFailure when another file has its name, or may have */
  private async isThere({ source, engineModel, context, remote }: InstallJob): Promise<boolean> {
    const { signal, report } = context;
    const file = path.join(this.options.directory, source.fileName);
    const status = await stat(file).catch(() => undefined);
    if (status === undefined) return false;
    if (isLocal(source)) {
      if (await isSameFile(file, source, context)) return true;
      throw nameTaken(engineModel);
    }
    const expected = source.sha256 ?? (await digestOnHub(remote, source, signal));
    if (expected === null) throw nameTaken(engineModel);
    const onRead = (bytes: number): void => {
      report(progress('verifying', bytes, status.size));
    };
    if ((await fileDigest(file, { signal, onRead })) !== expected) throw nameTaken(engineModel);
    return true;
  }
}

const isLocal = (source: ModelSource | LocalFile): source is LocalFile => 'path' in source;

/** Other servers report no digest. */
const digestOnHub = async (remote: RemoteFiles, source: ModelSource, signal: AbortSignal): Promise<string | null> =>
  source.url.origin === source.hub.origin ? (await remote.describe(source, signal)).sha256 : null;

const nameTaken = (engineModel: string): OperationFailure =>
  new OperationFailure(
    // Not `invalid_source`, after which the node would try its next engine.
    'unsupported',
    `another file is installed as ${engineModel}: remove it first, or add the digest (#sha256=…) if it is the same file`,
  );
