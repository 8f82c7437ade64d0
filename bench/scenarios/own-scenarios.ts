/** Scenarios that only Ferry has: idle nodes, inventories, keys. */
import { direct } from '../targets/direct.js';
import { ferry, ferryWith, ferryWorkers } from '../targets/ferry.js';
import { nginx } from '../targets/nginx.js';
import { closed, streams } from './peer-scenarios.js';
import { SETTLE_MS, WARM_UP_MS, type Scenario } from './scenario.js';

const MEBIBYTE = 1_048_576;
const STALLED_PAD_BYTES = 8_192;

export const oneNode = ferryWith('Ferry, one node', { serving: 1 });

const rest = (idle: number, onlyFull: boolean): Scenario => ({
  kind: 'load',
  name: `idle-${idle}`,
  title: `${idle.toLocaleString('en')} idle nodes`,
  note: 'Relay CPU is per second, for all idle nodes together; memory is the whole growth of the relay, and per node.',
  onlyFull,
  unit: 'second',
  spec: { kind: 'rest' },
  warmUpMs: 0,
  settleMs: SETTLE_MS,
  windowMs: 10_000,
  targets: [
    ferryWith(`Ferry, ${idle.toLocaleString('en')} idle`, { serving: 0, idle }),
    ferryWith(`Ferry, ${idle.toLocaleString('en')} idle (embedded database)`, {
      serving: 0,
      idle,
      database: 'embedded',
    }),
  ],
});

/** To be run with `--unpinned`: the public side has one core otherwise. */
const workersNote =
  'Twice the relay CPU of one worker, divided by that of two, is how much more two cores carry; generator and nodes are not in it.';

/** 200 requests a second for the model list, which is the same for all callers until something changes. */
const models = { kind: 'schedule', path: '/v1/models', perSecond: 200 } as const;
const inventory = { serving: 1, idle: 200, modelsEach: 50 } as const;

export const ownScenarios: readonly Scenario[] = [
  rest(1_000, false),
  rest(10_000, true),
  {
    ...streams(1_000, true),
    name: 'cost-growth',
    title: '1,000 streams on ten nodes, beside idle nodes',
    roundsPerAlternation: 3,
    targets: [10, 1_000].map((idle) => ferryWith(`Ferry, ${idle.toLocaleString('en')} idle`, { idle })),
  },
  {
    kind: 'load',
    name: 'models-list',
    title: '`GET /v1/models`, 200 requests/s, 200 nodes × 50 models',
    note: '“same” lists 50 models, which all nodes have; “own” lists 10,000, because no two nodes have one in common.',
    onlyFull: false,
    unit: 'request',
    spec: models,
    warmUpMs: WARM_UP_MS,
    settleMs: SETTLE_MS,
    windowMs: 5_000,
    roundsPerAlternation: 3,
    targets: [
      ferryWith('Ferry, same', inventory),
      ferryWith('Ferry, same, 180 nodes offline', { ...inventory, leave: 180 }),
      ferryWith('Ferry, own, 180 nodes offline', { ...inventory, distinctModels: true, leave: 180 }),
    ],
  },
  {
    kind: 'load',
    name: 'models-list-long',
    title: '`GET /v1/models`, 20 requests/s, 10,000 different models',
    onlyFull: true,
    unit: 'request',
    spec: { ...models, perSecond: 20 },
    warmUpMs: WARM_UP_MS,
    settleMs: SETTLE_MS,
    windowMs: 5_000,
    targets: [ferryWith('Ferry, own', { ...inventory, distinctModels: true })],
  },
  {
    kind: 'load',
    name: 'stalled-readers',
    title: '200 clients that never read a 300 MB stream each',
    note: 'Memory is the growth of the relay.',
    onlyFull: true,
    unit: 'second',
    spec: {
      kind: 'stalled',
      connections: 200,
      events: Math.ceil((300 * MEBIBYTE) / STALLED_PAD_BYTES),
      padBytes: STALLED_PAD_BYTES,
    },
    warmUpMs: WARM_UP_MS,
    settleMs: SETTLE_MS,
    windowMs: 8_000,
    targets: [nginx, ferryWith('Ferry')],
  },
  {
    kind: 'load',
    name: 'beside-uploads',
    title: '20 streams × 20 events/s, a 16 MiB upload in every other second',
    note: 'Streams and uploads share one node and its link. “Beside” is the transit in the seconds with an upload.',
    onlyFull: false,
    unit: 'event',
    spec: { kind: 'uploads', connections: 20, intervalMs: 50, lastsMs: 18_000, bodyBytes: 16 * MEBIBYTE - 200 },
    warmUpMs: WARM_UP_MS,
    settleMs: SETTLE_MS,
    windowMs: 12_000,
    targets: [direct, nginx, oneNode],
  },
  // As much in a turn of each worker as in one of the only worker: with less, a request or an event costs more.
  {
    ...closed('workers-json-one', 'small JSON requests, 32 connections, on one worker', { connections: 32 }, true),
    targets: [ferry],
  },
  {
    ...closed('workers-json-two', 'small JSON requests, 64 connections, on two workers', {}, true),
    note: workersNote,
    targets: [ferryWorkers],
  },
  {
    ...streams(500, true),
    name: 'workers-streams-one',
    title: '500 streams × 10 events/s, on one worker',
    targets: [ferry],
  },
  {
    ...streams(1_000, true),
    name: 'workers-streams-two',
    title: '1,000 streams × 10 events/s, on two workers',
    note: workersNote,
    targets: [ferryWorkers],
  },
  {
    kind: 'program',
    name: 'memory-at-rest',
    title: 'at rest, after an idle minute',
    note: 'Resident memory, then CPU and wake-ups of a minute, of processes with shipped settings; `npm run up` with the model `tiny` after a first start.',
    onlyFull: true,
    program: 'programs/memory-at-rest.program.ts',
  },
  {
    kind: 'program',
    name: 'start',
    title: 'CPU until ready',
    note: 'The least of three starts. Compiled code of an earlier start is kept, except at the very first one of a build.',
    onlyFull: true,
    program: 'programs/start.program.ts',
  },
  {
    kind: 'program',
    name: 'first-requests',
    title: 'first requests after a start',
    note: '200 small requests, one after the other, of a relay with the embedded database: the first ones, and after 4,000 more.',
    onlyFull: true,
    program: 'programs/first-requests.program.ts',
  },
  {
    kind: 'program',
    name: 'key-verification',
    title: 'verifying a key',
    note: 'CPU of the whole process, the embedded database included, over keys of one account.',
    onlyFull: false,
    program: 'programs/key-verification.program.ts',
  },
];
