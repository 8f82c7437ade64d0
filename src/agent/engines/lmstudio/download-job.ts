/** A download job of LM Studio, polled until its end (docs/reference/engines.md#lm-studio). */
import { isJsonObject } from '../../../kernel/json-object.js';
import { OperationFailure, type OperationContext, type OperationProgress } from '../engine-management.js';
import { command, refusedInWords, until } from '../http/engine-command.js';
import type { EngineHttp } from '../http/engine-http.js';
import { positiveCount } from '../http/model-facts.js';

const DOWNLOAD_PATH = '/api/v1/models/download';
const ASK_INTERVAL_MS = 500;
/** A repository on Hugging Face, with an optional `@quantization`. */
const huggingFaceLink = /^(https:\/\/huggingface\.co\/[\w.-]+\/[\w.-]+)(?:@([\w.-]+))?$/;
/** A name in LM Studio's catalogue with an optional variant: `qwen/qwen3-8b@q4_k_m`. */
const catalogueName = /^[\w.-]+(?:\/[\w.-]+)*(?:@[\w.-]+)?$/;

/**
 * Resolves when the model is downloaded. A cancel ends only the polling: LM Studio has no route that stops a download.
 * @throws OperationFailure
 */
export async function download(http: EngineHttp, source: string, { signal, report }: OperationContext): Promise<void> {
  let job = await command(http, { method: 'POST', path: DOWNLOAD_PATH, json: requestFor(source), signal });
  let isNews = true;
  const probe = async (): Promise<true | undefined> => {
    if (!isNews) job = await command(http, { method: 'GET', path: statusPath(job), signal });
    isNews = false;
    report(progressOf(job));
    return isOver(job) ? true : undefined;
  };
  await until(signal, probe, ASK_INTERVAL_MS);
}

function statusPath(job: unknown): string {
  const id = isJsonObject(job) ? job['job_id'] : undefined;
  if (typeof id !== 'string') throw oddResponse();
  return `${DOWNLOAD_PATH}/status/${encodeURIComponent(id)}`;
}

function requestFor(source: string): object {
  const [, model, quantization] = huggingFaceLink.exec(source) ?? [];
  if (model !== undefined) return { model, ...(quantization === undefined ? {} : { quantization }) };
  if (catalogueName.test(source)) return { model: source };
  throw new OperationFailure(
    'invalid_source',
    'LM Studio installs names from its catalogue, such as qwen/qwen3-8b, and links such as https://huggingface.co/owner/repo@Q4_K_M.',
  );
}

/** @throws OperationFailure when the download failed */
function isOver(job: unknown): boolean {
  if (!isJsonObject(job)) throw oddResponse();
  const { status, error } = job;
  switch (status) {
    case 'completed':
    case 'already_downloaded':
      return true;
    case 'downloading':
    case 'paused':
      return false;
    case 'failed':
      if (typeof error === 'string' && error !== '') throw refusedInWords(error);
      throw new OperationFailure('engine_error', 'The download failed: LM Studio shows the reason in its downloads.');
    default:
      throw oddResponse();
  }
}

function progressOf(job: unknown): OperationProgress {
  const { status, downloaded_bytes: downloaded, total_size_bytes: total } = isJsonObject(job) ? job : {};
  const totalBytes = positiveCount(total);
  if (status === 'already_downloaded') return { phase: 'already downloaded', completedBytes: null, totalBytes: null };
  return {
    phase: status === 'paused' ? 'paused in LM Studio' : 'downloading',
    // The first response has no count, and the last one may omit it.
    completedBytes:
      status === 'completed' ? totalBytes : (positiveCount(downloaded) ?? (totalBytes === null ? null : 0)),
    totalBytes,
  };
}

const oddResponse = (): OperationFailure =>
  new OperationFailure('engine_error', 'LM Studio answered the download in an unknown format.');
