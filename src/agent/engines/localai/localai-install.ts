/** An installation from LocalAI's gallery, as a job that is polled until it is processed. */
import { isJsonObject, parseJson } from '../../../kernel/json-object.js';
import { OperationFailure, type OperationContext } from '../engine-management.js';
import type { InstallSources } from '../engine-kind.js';
import { command, refusedInWords, until } from '../http/engine-command.js';
import type { EngineHttp } from '../http/engine-http.js';
import type { EngineHandle } from '../http/engine-adapter.js';
import { probeOf } from '../http/probe.js';

const CLEAN_UP_MS = 5_000;
/** With or without its gallery. Does not match an address, which has an empty part behind its scheme. */
const galleryName = /^(?:[\w.-]+@)?[\w.+-]+(?:[/:][\w.+-]+)*$/;

/**
 * @param source a gallery name (`qwen3-8b`, `localai@qwen3-8b`), or the address of a model's YAML description if the owner allows it
 * @returns LocalAI's name of the model: the one that is new in the list
 */
export async function installFrom(
  handle: EngineHandle,
  source: string,
  { signal, report }: OperationContext,
  installSources: InstallSources,
): Promise<string> {
  const json = requestFor(source, installSources);
  const { http, probeNow } = handle;
  const before = new Set((await probeNow()).map(({ engine_model: id }) => id));
  report({ phase: 'queued', completedBytes: null, totalBytes: null });
  const job = jobOf(await command(http, { method: 'POST', path: '/models/apply', json, signal }));
  try {
    await until(signal, async () => takeStatus(await jobStatus(http, job), report));
  } catch (error) {
    if (signal.aborted) await cancelQuietly(handle, job);
    throw error;
  }
  const models = await probeNow();
  const wanted = source.replace(/^[^@/]+@/, '');
  const found =
    models.find(({ engine_model: id }) => id === wanted) ?? models.find(({ engine_model: id }) => !before.has(id));
  if (found !== undefined) return found.engine_model;
  throw new OperationFailure(
    'engine_error',
    `LocalAI reports that ${source} is installed, but lists no new text model.`,
  );
}

/** LocalAI fetches a description and the files it names from any address, which would give an account's admin access to the network. */
function requestFor(source: string, installSources: InstallSources): object {
  if (galleryName.test(source)) return { id: source };
  if (installSources === 'private' && /^https?:/.test(source)) return { url: source };
  throw new OperationFailure(
    'invalid_source',
    'LocalAI installs names from its gallery, such as qwen3-8b or localai@qwen3-8b. Addresses of model descriptions require FERRY_NODE_INSTALL_SOURCES=private on the node.',
  );
}

/** Not `command`: the error is part of the response, and often an empty object with a separate message. */
async function jobStatus(http: EngineHttp, job: string): Promise<Record<string, unknown>> {
  const { status, text } = await probeOf(http)(`/models/jobs/${job}`).catch((cause: unknown) => {
    throw new OperationFailure('engine_unreachable', 'LocalAI does not report the state of the installation.', {
      cause,
    });
  });
  const value = parseJson(text);
  if (status === 200 && isJsonObject(value)) return value;
  throw new OperationFailure('engine_error', `LocalAI no longer knows the installation (${status}).`);
}

function jobOf(response: unknown): string {
  const uuid = isJsonObject(response) ? response['uuid'] : undefined;
  if (typeof uuid === 'string' && /^[\w-]{1,100}$/.test(uuid)) return uuid;
  throw new OperationFailure('engine_error', 'LocalAI accepted the installation without naming its job.');
}

/** True when the job has ended: `processed`, because `progress` reaches 100 too early. */
function takeStatus(status: Record<string, unknown>, report: OperationContext['report']): true | undefined {
  const { error, message, phase, current_bytes: current, total_bytes: total, cancelled } = status;
  const failed = isJsonObject(error) || (typeof error === 'string' && error !== '');
  if (failed) throw refusedInWords(wordsOf(error) ?? wordsOf(message) ?? 'The installation failed.');
  if (cancelled === true)
    throw new OperationFailure('engine_error', 'The installation was cancelled in LocalAI itself.');
  if (status['processed'] === true) return true;
  report({
    phase: typeof phase === 'string' && phase !== '' ? phase.slice(0, 100) : 'downloading',
    completedBytes: bytes(current),
    totalBytes: bytes(total),
  });
  return undefined;
}

const wordsOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const bytes = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** Best effort: builds without this route continue to download. */
async function cancelQuietly({ http }: EngineHandle, job: string): Promise<void> {
  const signal = AbortSignal.timeout(CLEAN_UP_MS);
  await command(http, { method: 'POST', path: `/api/operations/${job}/cancel`, signal }).catch(() => undefined);
}
