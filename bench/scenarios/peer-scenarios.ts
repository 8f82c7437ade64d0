/** Scenarios that compare Ferry with other proxies. */
import type { ClosedLoopLoadSpec } from '../load/load-protocol.js';
import { WARM_UP_MS, type LoadScenario } from './scenario.js';

/** Opening a stream costs more than serving it: this rate takes a fraction of a core from every target. */
const OPENED_PER_SECOND = 250;
/** Streams outlive the window by the time for settling and reading the figures. */
const SPARE_MS = 4_000;

export const streams = (connections: number, onlyFull: boolean, intervalMs = 100, windowMs = 6_000): LoadScenario => ({
  kind: 'load',
  name: `streams-${connections}`,
  title: `${connections.toLocaleString('en')} concurrent streams × ${1_000 / intervalMs} events/s`,
  unit: 'event',
  onlyFull,
  warmUpMs: WARM_UP_MS,
  windowMs,
  spec: {
    kind: 'streams',
    connections,
    rampMs: (connections / OPENED_PER_SECOND) * 1_000,
    intervalMs,
    lastsMs: windowMs + SPARE_MS,
    padBytes: 20,
    probeIntervalMs: 50,
  },
});

const closed = (name: string, title: string, extra: Partial<ClosedLoopLoadSpec>, onlyFull = false): LoadScenario => ({
  kind: 'load',
  name,
  title,
  unit: extra.kind === 'bursts' ? 'event' : 'request',
  onlyFull,
  warmUpMs: WARM_UP_MS,
  windowMs: 4_000,
  spec: { kind: 'requests', connections: 64, events: 256, padBytes: 20, bodyBytes: 200, ...extra },
});

export const peerScenarios: readonly LoadScenario[] = [
  streams(1, true),
  streams(100, true),
  streams(1_000, false),
  {
    ...streams(5_000, true, 500),
    note: 'Two events a second: at ten, two cores do not carry generator, engine, nodes and relay at once.',
  },
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
