/** Ferry beside its peers. */
import type { ClosedLoopOrder } from '../load/orders.js';
import { WARM_UP_MS, type LoadScenario } from './scenario.js';

/** Opening streams is dearer than keeping them: at this pace it takes a fraction of a core from every target. */
const OPENED_PER_SECOND = 250;
/** Streams outlive the window by the time that settling and taking the figures may cost. */
const SPARE_MS = 4_000;

export const streams = (connections: number, onlyFull: boolean, intervalMs = 100, windowMs = 6_000): LoadScenario => ({
  kind: 'load',
  name: `streams-${connections}`,
  title: `${connections.toLocaleString('en')} concurrent streams × ${1_000 / intervalMs} events/s`,
  unit: 'event',
  onlyFull,
  warmUpMs: WARM_UP_MS,
  windowMs,
  order: {
    kind: 'streams',
    connections,
    rampMs: (connections / OPENED_PER_SECOND) * 1_000,
    intervalMs,
    lastsMs: windowMs + SPARE_MS,
    padBytes: 20,
    probeIntervalMs: 50,
  },
});

const closed = (name: string, title: string, extra: Partial<ClosedLoopOrder>, onlyFull = false): LoadScenario => ({
  kind: 'load',
  name,
  title,
  unit: extra.kind === 'bursts' ? 'event' : 'request',
  onlyFull,
  warmUpMs: WARM_UP_MS,
  windowMs: 4_000,
  order: { kind: 'requests', connections: 64, events: 256, padBytes: 20, bodyBytes: 200, ...extra },
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
