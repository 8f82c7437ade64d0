/** Graphics processors of this computer and their memory. */
import { execFile } from 'node:child_process';
import os from 'node:os';
import { promisify } from 'node:util';
import type { GpuReport } from '../../link/messages.js';
import type { HostMemory } from './host-memory.js';

const run = promisify(execFile);
/** The first call after a start may load the driver. */
const TIMEOUT_MS = 5_000;
const MAX_OUTPUT_BYTES = 64 * 1024;
const MAX_GPUS = 16;
const MEBIBYTE = 1024 * 1024;
const QUERY = ['--query-gpu=name,memory.total,memory.free', '--format=csv,noheader,nounits'];

/** Never rejects: a computer without a known graphics processor has none to report. */
export async function readGpus(memory: HostMemory): Promise<readonly GpuReport[]> {
  const apple = appleGpu(process.platform, process.arch, os.cpus()[0]?.model, memory);
  return apple === undefined ? nvidiaGpus() : [apple];
}

async function nvidiaGpus(): Promise<readonly GpuReport[]> {
  try {
    const { stdout } = await run('nvidia-smi', QUERY, {
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT_BYTES,
      windowsHide: true,
    });
    return parseNvidiaSmi(stdout);
  } catch {
    return [];
  }
}

/**
 * What the drivers report, marked where an engine computes on it, and what only an engine sees. An engine that uses several devices reports them
 * as one, `A, B`; the drivers' own figures are of each.
 */
export function withEngines(found: readonly GpuReport[], used: readonly GpuReport[]): readonly GpuReport[] {
  const backends = new Map<string, GpuReport['backend']>();
  for (const { name, backend } of used) for (const part of name.split(', ')) backends.set(part, backend);
  const marked = found.map((gpu) => {
    const backend = backends.get(gpu.name);
    return backend === undefined ? gpu : { ...gpu, backend };
  });
  const known = new Set(found.map(({ name }) => name));
  const others = used.filter(({ name }) => name.split(', ').some((part) => !known.has(part)));
  return [...marked, ...others].slice(0, MAX_GPUS);
}

/** Lines of `name, MiB in total, MiB free`; a unified memory has `[N/A]` for both and is left out. */
export function parseNvidiaSmi(csv: string): readonly GpuReport[] {
  return csv
    .split('\n')
    .flatMap((line): GpuReport[] => {
      const [name = '', total = '', free = ''] = line.split(',').map((cell) => cell.trim());
      if (name === '' || !/^\d+$/.test(total)) return [];
      const freeBytes = /^\d+$/.test(free) ? Number(free) * MEBIBYTE : null;
      return [{ name: name.slice(0, 200), total_bytes: Number(total) * MEBIBYTE, free_bytes: freeBytes }];
    })
    .slice(0, MAX_GPUS);
}

/** Apple silicon computes in the memory of the host. */
export function appleGpu(
  platform: string,
  arch: string,
  chip: string | undefined,
  { totalBytes, freeBytes }: HostMemory,
): GpuReport | undefined {
  if (platform !== 'darwin' || arch !== 'arm64') return undefined;
  return { name: chip ?? 'Apple silicon', total_bytes: totalBytes, free_bytes: freeBytes, unified: true };
}
