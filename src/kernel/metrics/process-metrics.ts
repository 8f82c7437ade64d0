import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { EventLoopDelay } from './event-loop-delay.js';
import { byLabel, single, type Metric } from './metric.js';
import { TimeHistogram } from './time-histogram.js';

const MILLISECONDS_PER_SECOND = 1e3;
const MICROSECONDS_PER_SECOND = 1e6;
const LOOP_RESOLUTION_MS = 10;
const GC_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];
const quantiles = { name: 'quantile', values: ['0.5', '0.99', '1'] } as const;

/** Event loop, garbage collector, memory and processor time of this process, by the names that Node exporters use. */
export class ProcessMetrics {
  private readonly loop = new EventLoopDelay(LOOP_RESOLUTION_MS);
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
        'gauge',
        'nodejs_eventloop_lag_seconds',
        'Delay of the event loop since the last scrape: the median, the 99th percentile and the longest.',
        quantiles,
        () => this.delays(),
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
    this.loop.stop();
    this.observer.disconnect();
  }

  private delays(): Record<(typeof quantiles.values)[number], number> {
    const seconds = (percent: number): number => this.loop.percentileMs(percent) / MILLISECONDS_PER_SECOND;
    const delays = { '0.5': seconds(50), '0.99': seconds(99), '1': seconds(100) };
    this.loop.reset();
    return delays;
  }
}
