import { Subject, type Observable } from 'rxjs';
import type { Clock } from '../../kernel/clock.js';
import type { GpuReport, StatusMessage } from '../../link/messages.js';
import { readGpus, withEngines } from './gpus.js';
import { readHostMemory, type HostMemory } from './host-memory.js';

const MEMORY_INTERVAL_MS = 10_000;
/** Asking costs a process, and a sleeping graphics processor wakes up for it. */
const GPU_INTERVAL_MS = 60_000;
/** A change by a smaller share of the total is not reported. */
const NOTICEABLE_SHARE = 1 / 64;

interface HostSources {
  readonly memory: () => Promise<HostMemory>;
  readonly gpus: (memory: HostMemory) => Promise<readonly GpuReport[]>;
  /** Returns the GPUs that engines compute on. */
  readonly usedGpus: () => readonly GpuReport[];
}

type HostReport = Pick<StatusMessage, 'memory_free_bytes' | 'memory_total_bytes' | 'gpus'>;

/** Measures the memory and devices of this computer at intervals, and reports them when they have changed noticeably. */
export class HostMonitor {
  private readonly changes = new Subject<void>();
  readonly changed$: Observable<void> = this.changes.asObservable();
  private memory: HostMemory | undefined;
  private gpus: readonly GpuReport[] | undefined;
  /** Reported by their drivers. */
  private found: readonly GpuReport[] | undefined;
  private readonly sources: HostSources;
  private measuring = false;
  private memoryAtMs = Number.NEGATIVE_INFINITY;
  private gpusAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Clock,
    sources: Partial<HostSources> = {},
  ) {
    this.sources = { memory: readHostMemory, gpus: readGpus, usedGpus: () => [], ...sources };
  }

  /** About once a second. Never rejects; measures at most once at a time. */
  async tick(): Promise<void> {
    const nowMs = this.clock.monotonicMs();
    if (this.measuring || nowMs - this.memoryAtMs < MEMORY_INTERVAL_MS) return;
    this.measuring = true;
    this.memoryAtMs = nowMs;
    try {
      const memory = await this.sources.memory();
      const gpus = await this.gpusNow(memory, nowMs);
      if (!noticeable(this.memory, memory) && !gpusDiffer(this.gpus ?? [], gpus)) return;
      this.memory = memory;
      this.gpus = gpus;
      this.changes.next();
    } finally {
      this.measuring = false;
    }
  }

  /** Members of STATUS. */
  report(): HostReport {
    const { memory, gpus } = this;
    if (memory === undefined) return { memory_free_bytes: null };
    return {
      memory_free_bytes: memory.freeBytes,
      memory_total_bytes: memory.totalBytes,
      ...(gpus === undefined ? {} : { gpus: [...gpus] }),
    };
  }

  private async gpusNow(memory: HostMemory, nowMs: number): Promise<readonly GpuReport[]> {
    const unified = this.found?.some((gpu) => gpu.unified === true) ?? false;
    if (unified || this.found === undefined || nowMs - this.gpusAtMs >= GPU_INTERVAL_MS) {
      this.gpusAtMs = nowMs;
      this.found = await this.sources.gpus(memory);
    }
    return withEngines(this.found, this.sources.usedGpus());
  }
}

const noticeable = (before: HostMemory | undefined, now: HostMemory): boolean =>
  before?.totalBytes !== now.totalBytes ||
  Math.abs(before.freeBytes - now.freeBytes) >= now.totalBytes * NOTICEABLE_SHARE;

function gpusDiffer(before: readonly GpuReport[], now: readonly GpuReport[]): boolean {
  if (before.length !== now.length) return true;
  return now.some((gpu, index) => {
    const { name, backend, free_bytes: free } = before[index] ?? {};
    return (
      name !== gpu.name ||
      backend !== gpu.backend ||
      Math.abs((free ?? 0) - (gpu.free_bytes ?? 0)) >= gpu.total_bytes * NOTICEABLE_SHARE
    );
  });
}
