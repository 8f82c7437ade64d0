import { performance, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { byLabel, single, type Metric } from './metric.js';
import { TimeHistogram } from './time-histogram.js';

const MILLISECONDS_PER_SECOND = 1e3;
const MICROSECONDS_PER_SECOND = 1e6;
const GC_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];
const loopStates = { name: 'state', values: ['active', 'idle'] } as const;

/** Event loop, garbage collector, memory and processor time of this process, by the names that Node exporters use. */
export class ProcessMetrics {
  private readonly pauses = new TimeHistogram(
    'nodejs_gc_duration_seconds',
    'Pauses of the garbage collector.',
    GC_SECONDS,
  );
  private readonly observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) this.pauses.observe(duration);
  });

  constructor() {
    this.observer.observe({ entryTypes: ['gc'] });
  }

  get all(): readonly Metric[] {
    const startedAtSeconds = Date.now() / 1_000 - process.uptime();
    return [
      byLabel(
        'counter',
        'nodejs_eventloop_time_seconds_total',
        'Time in which the event loop worked (or had to wait for a processor), and in which it waited for something to do.',
        loopStates,
        () => {
          const { active, idle } = performance.eventLoopUtilization();
          return { active: active / MILLISECONDS_PER_SECOND, idle: idle / MILLISECONDS_PER_SECOND };
        },
      ),
      this.pauses,
      single('gauge', 'nodejs_heap_size_used_bytes', 'Heap in use.', () => getHeapStatistics().used_heap_size),
      single('gauge', 'nodejs_heap_size_limit_bytes', 'Heap at which the process ends.', () => {
        return getHeapStatistics().heap_size_limit;
      }),
      single('gauge', 'process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss()),
      single('counter', 'process_cpu_seconds_total', 'Processor time of the process.', () => {
        const { user, system } = process.cpuUsage();
        return (user + system) / MICROSECONDS_PER_SECOND;
      }),
      single('gauge', 'process_start_time_seconds', 'Start of the process, Unix time.', () => startedAtSeconds),
    ];
  }

  stop(): void {
    this.observer.disconnect();
  }
}
