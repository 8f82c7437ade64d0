/** What is measured. Numbers are those of the targets in docs/performance.md. */
import type { LoadOrder } from './load/generator.js';

export interface Scenario {
  readonly name: string;
  readonly title: string;
  /** What CPU is divided by. */
  readonly unit: 'event' | 'request';
  readonly order: Omit<LoadOrder, 'url' | 'headers'>;
  readonly onlyFull: boolean;
}

const streams = (connections: number, seconds: number, onlyFull: boolean, intervalMs = 100): Scenario => ({
  name: `streams-${connections}`,
  title: `${connections.toLocaleString('en')} concurrent streams × ${1_000 / intervalMs} events/s`,
  unit: 'event',
  onlyFull,
  order: {
    kind: 'streams',
    connections,
    rampMs: 2_000,
    events: Math.round((seconds * 1_000) / intervalMs),
    intervalMs,
    padBytes: 20,
    durationMs: 0,
    probeIntervalMs: 50,
    bodyBytes: 200,
  },
});

const closed = (name: string, title: string, extra: Partial<Scenario['order']>, onlyFull = false): Scenario => ({
  name,
  title,
  unit: extra.kind === 'bursts' ? 'event' : 'request',
  onlyFull,
  order: {
    kind: 'requests',
    connections: 64,
    rampMs: 0,
    events: 256,
    intervalMs: 0,
    padBytes: 20,
    durationMs: 5_000,
    probeIntervalMs: 0,
    bodyBytes: 200,
    ...extra,
  },
});

export const scenarios: readonly Scenario[] = [
  streams(1, 6, true),
  streams(100, 8, true),
  streams(1_000, 10, false),
  streams(5_000, 10, true, 200),
  closed('burst', 'bursts: 64 connections, 256 events each, no delay', { kind: 'bursts' }),
  closed(
    'short-streams',
    'short streams: 64 connections, 16 events each, no delay',
    { kind: 'bursts', events: 16 },
    true,
  ),
  closed('small-json', 'small JSON requests, 64 connections', {}),
  closed('body-1mib', '1 MiB request bodies, 4 connections', { bodyBytes: 1_048_576, connections: 4 }, true),
  closed('body-16mib', '16 MiB request bodies, 2 connections', { bodyBytes: 16_777_000, connections: 2 }, true),
];
