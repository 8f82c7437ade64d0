/** A download by the router, into its own cache. */
import { isJsonObject } from '../../../kernel/json-object.js';
import { OperationFailure, type OperationContext } from '../engine-management.js';
import { command, until } from '../http/engine-command.js';
import type { EngineHandle } from '../http/engine-adapter.js';
import { probeEngine } from '../http/probe.js';
import { quietly } from './router-commands.js';
import { readStatus } from './router-models.js';

const repository = /^(?:hf:)?([\w.-]+\/[\w.-]+(?::[\w.-]+)?)$/;
/** Probes between the end of a download and the router's next scan of its cache. */
const ABSENT_PROBES = 12;

/**
 * @param source `org/repo` or `org/repo:quantization` on Hugging Face, with or without `hf:`
 * @returns the router's name of the model
 */
export async function installFrom(
  handle: EngineHandle,
  source: string,
  { signal, report }: OperationContext,
): Promise<string> {
  const wanted = repository.exec(source)?.[1];
  if (wanted === undefined) {
    throw new OperationFailure(
      'invalid_source',
      'llama-server downloads from Hugging Face: name a repository, such as ggml-org/Qwen3-8B-GGUF:Q4_K_M.',
    );
  }
  const { http } = handle;
  const there = find(await entriesOf(handle), wanted);
  if (there !== undefined && !there.downloading) return there.id;
  report({ phase: 'downloading', completedBytes: null, totalBytes: null });
  try {
    if (there === undefined) await command(http, { method: 'POST', path: '/models', json: { model: wanted }, signal });
    let absent = 0;
    const model = await until(signal, async () => {
      const found = find(await entriesOf(handle), wanted);
      if (found === undefined) {
        absent += 1;
        if (absent > ABSENT_PROBES) throw vanished(wanted);
        return undefined;
      }
      absent = 0;
      if (!found.downloading) return found.id;
      report({ phase: 'downloading', completedBytes: found.doneBytes, totalBytes: found.totalBytes });
      return undefined;
    });
    await handle.probeNow();
    return model;
  } catch (error) {
    if (signal.aborted) await quietly(handle, wanted);
    throw error;
  }
}

interface Found {
  readonly id: string;
  readonly downloading: boolean;
  readonly doneBytes: number | null;
  readonly totalBytes: number | null;
}

async function entriesOf({ http }: EngineHandle): Promise<readonly Record<string, unknown>[]> {
  const { data } = await probeEngine(http, '/models').catch((cause: unknown) => {
    throw new OperationFailure('engine_unreachable', 'llama-server does not answer with its models.', { cause });
  });
  return Array.isArray(data) ? data.filter(isJsonObject) : [];
}

/** The router appends the quantization it chose to a name without one. */
function find(entries: readonly Record<string, unknown>[], wanted: string): Found | undefined {
  const name = wanted.toLowerCase();
  for (const entry of entries) {
    const { id } = entry;
    if (typeof id !== 'string') continue;
    const own = id.toLowerCase();
    if (own !== name && !own.startsWith(`${name}:`)) continue;
    const status = readStatus(entry);
    return {
      id,
      downloading: status?.value === 'downloading',
      doneBytes: status?.doneBytes ?? null,
      totalBytes: status?.totalBytes ?? null,
    };
  }
  return undefined;
}

/** The router reports "finished" also for a missing and for an unreachable repository; only its log tells them apart. */
const vanished = (wanted: string): OperationFailure =>
  new OperationFailure(
    'network',
    `llama-server could not download ${wanted}. Check that the repository and the quantization exist, and that the computer reaches huggingface.co.`,
  );
