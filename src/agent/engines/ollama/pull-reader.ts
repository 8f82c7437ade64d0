/** Parser of the progress lines of `POST /api/pull`, one JSON object per line (docs/reference/engines.md#ollama). */
import { StringDecoder } from 'node:string_decoder';
import { isJsonObject, parseJson } from '../../../kernel/json-object.js';
import { type OperationProgress, OperationFailure } from '../engine-management.js';
import { readable } from '../failures/error-parser.js';
import { failedPull } from './operation-failures.js';

/** A progress line has a few hundred characters. */
const MAX_LINE_CHARACTERS = 64 * 1024;
/** Memory bound; more than any model has. */
const MAX_LAYERS = 4_096;
const MAX_PHASE_CHARACTERS = 100;

interface Layer {
  readonly completed: number;
  readonly total: number;
}

/**
 * Takes pieces of any size. A model consists of layers that Ollama reports one after the other; the progress is the sum over the layers
 * reported so far.
 */
export class PullReader {
  private readonly decoder = new StringDecoder('utf8');
  private readonly layers = new Map<string, Layer>();
  private rest = '';
  private finished = false;

  /** Whether Ollama reported `success`. */
  get succeeded(): boolean {
    return this.finished;
  }

  /** The progress after these bytes; undefined when they complete no line. @throws OperationFailure */
  feed(bytes: Buffer): OperationProgress | undefined {
    return this.takeLines(this.rest + this.decoder.write(bytes));
  }

  /** The connection has ended. @throws OperationFailure unless Ollama reported `success` */
  end(): void {
    this.takeLines(`${this.rest}${this.decoder.end()}\n`);
    if (!this.finished) {
      throw new OperationFailure(
        'network',
        'Ollama ended the download before it was complete. Try again: the partial download is kept.',
      );
    }
  }

  private takeLines(text: string): OperationProgress | undefined {
    const lines = text.split('\n');
    this.rest = lines.pop() ?? '';
    if (this.rest.length > MAX_LINE_CHARACTERS) throw oddResponse();
    let progress: OperationProgress | undefined;
    for (const line of lines) if (line.trim() !== '') progress = this.takeLine(line);
    return progress;
  }

  private takeLine(line: string): OperationProgress {
    const report = parseJson(line);
    if (!isJsonObject(report)) throw oddResponse();
    const { error, status, digest, total, completed } = report;
    if (error !== undefined) throw failedPull(error);
    const reported = typeof status === 'string' ? readable(status) : '';
    if (reported === 'success') this.finished = true;
    if (typeof digest === 'string' && (this.layers.has(digest) || this.layers.size < MAX_LAYERS)) {
      // The first report of a layer has no `completed`.
      this.layers.set(digest, { completed: bytesOf(completed), total: bytesOf(total) });
    }
    return { phase: phaseOf(reported), ...this.bytes() };
  }

  private bytes(): Pick<OperationProgress, 'completedBytes' | 'totalBytes'> {
    if (this.layers.size === 0) return { completedBytes: null, totalBytes: null };
    const layers = [...this.layers.values()];
    return {
      completedBytes: layers.reduce((sum, { completed }) => sum + completed, 0),
      totalBytes: layers.reduce((sum, { total, completed }) => sum + Math.max(total, completed), 0),
    };
  }
}

/** Hides the digests in `pulling 6a0746a1ec1a`. */
function phaseOf(status: string): string {
  if (/^(?:pulling|downloading) (?!manifest)/.test(status)) return 'downloading';
  if (status.startsWith('verifying')) return 'verifying';
  return status.slice(0, MAX_PHASE_CHARACTERS) || 'downloading';
}

const bytesOf = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;

const oddResponse = (): OperationFailure =>
  new OperationFailure('engine_error', 'Ollama answered the download in an unknown format.');
