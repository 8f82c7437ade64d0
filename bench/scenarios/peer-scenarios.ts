/** Scenarios that compare Ferry with other proxies. */
import type { ClosedLoopLoadSpec, StreamsLoadSpec } from '../load/load-protocol.js';
import { ferryMetrics, ferryQuiet } from '../targets/ferry.js';
import { FIRST_RESPONSES_MS, WARM_UP_AT_LOAD_MS, type LoadScenario } from './scenario.js';

/** Opening a stream costs more than serving it: this rate takes a fraction of a core from every target. */
const OPENED_PER_SECOND = 250;
/** Streams outlive the window by the time for settling and reading the figures. */
const SPARE_MS = 4_000;

export const streams = (
  connections: number,
  onlyFull: boolean,
  intervalMs = 100,
  windowMs = 6_000,
): LoadScenario & { readonly spec: StreamsLoadSpec } => ({
  kind: 'load',
  name: `streams-${connections}`,
  title: `${connections.toLocaleString('en')} concurrent streams × ${1_000 / intervalMs} events/s`,
  unit: 'event',
  onlyFull,
  warmUpMs: FIRST_RESPONSES_MS,
  settleMs: WARM_UP_AT_LOAD_MS,
  windowMs,
  spec: {
    kind: 'streams',
    connections,
    rampMs: (connections / OPENED_PER_SECOND) * 1_000,
    intervalMs,
    lastsMs: WARM_UP_AT_LOAD_MS + windowMs + SPARE_MS,
    padBytes: 20,
    probeIntervalMs: 50,
    probeEvents: 1,
  },
});

/** A relay that has little to do: each request finds cold caches, sleeping cores and no other work to share a turn of the event loop with. */
const quiet: LoadScenario = {
  ...streams(1, false),
  name: 'quiet',
  title: '10 streams/s of one event, and nothing else',
  note: 'CPU is per stream, with what the process costs while it waits. First bytes are those of the streams.',
  windowMs: 20_000,
  spec: { ...streams(1, false).spec, connections: 0, rampMs: 0, probeIntervalMs: 100, probeEvents: 1 },
};

export const closed = (
  name: string,
  title: string,
  extra: Partial<ClosedLoopLoadSpec>,
  onlyFull = false,
): LoadScenario => ({
  kind: 'load',
  name,
  title,
  unit: extra.kind === 'bursts' ? 'event' : 'request',
  onlyFull,
  warmUpMs: FIRST_RESPONSES_MS,
  settleMs: WARM_UP_AT_LOAD_MS,
  windowMs: 4_000,
  spec: { kind: 'requests', connections: 64, events: 256, padBytes: 20, bodyBytes: 200, ...extra },
});

const thousand = streams(1_000, false);

/** What users have: long streams, beside many short ones. First bytes are those of the short ones, transit is that of the long ones. */
const churn: LoadScenario = {
  ...thousand,
  name: 'churn',
  title: '1,000 streams × 10 events/s beside 350 short streams/s of 8 events',
  note: 'CPU is per event of either kind. Transit is that of the long streams; first bytes are those of the short ones.',
  spec: { ...thousand.spec, probeIntervalMs: 1_000 / 350, probeEvents: 8 },
};

export const peerScenarios: readonly LoadScenario[] = [
  streams(1, true),
  streams(100, true),
  { ...thousand, furtherTargets: [ferryMetrics] },
  churn,
  quiet,
  {
    ...streams(5_000, true, 500),
    heap: true,
    note: 'Two events a second: at ten, two cores do not carry generator, engine, nodes and relay at once.',
  },
  closed('burst', 'bursts: 64 connections, 256 events each, no delay', { kind: 'bursts' }),
  closed(
    'short-streams',
    'short streams: 64 connections, 16 events each, no delay',
    { kind: 'bursts', events: 16 },
    true,
  ),
  {
    ...closed('small-json', 'small JSON requests, 64 connections', {}),
    furtherTargets: [ferryQuiet, ferryMetrics],
  },
  closed('body-1mib', '1 MiB request bodies, 4 connections', { bodyBytes: 1_048_576, connections: 4 }, true),
  closed('body-16mib', '16 MiB request bodies, 2 connections', { bodyBytes: 16_777_000, connections: 2 }, true),
];
