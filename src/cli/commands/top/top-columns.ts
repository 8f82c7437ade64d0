/** The two tables of `ferry top`. */
import { formatCount, formatMemory } from '../../core/output/quantities.js';
import type { Column, Mark } from '../../core/output/table.js';
import { shortId } from '../../core/output/short-id.js';
import type { TopFrame } from './top-frame.shape.js';

type Node = TopFrame['nodes'][number];
type Request = TopFrame['requests'][number];

const SLOT_BAR = 4;

export const markOfTopNode = ({ online, problem, accepts_work: acceptsWork }: Node): Mark =>
  !online ? 'off' : problem !== null || !acceptsWork ? 'attention' : 'serving';

export const nodeColumns: readonly Column<Node>[] = [
  { heading: 'NODE', value: ({ name }) => name },
  { heading: 'LOADED', value: ({ loaded }) => loaded.join(' ') },
  { heading: 'SLOTS', value: slotsOf, whole: true, expendable: 1 },
  {
    heading: 'TOK/S',
    value: ({ tokens_per_second: rate, online }) => (online ? rate.toFixed(1) : ''),
    align: 'right',
    expendable: 2,
  },
  { heading: 'QUEUE', value: ({ queue, online }) => (online ? String(queue) : ''), align: 'right', expendable: 5 },
  { heading: 'MEMORY', value: (node) => memoryOf(node), align: 'right', expendable: 4 },
  { heading: 'VRAM', value: (node) => vramOf(node), align: 'right', optional: true, expendable: 3 },
  {
    heading: 'RTT',
    value: ({ round_trip_ms: ms, online }) => (ms === null || !online ? '' : `${ms.toFixed(ms < 10 ? 1 : 0)} ms`),
    align: 'right',
    expendable: 6,
  },
];

export const requestColumns: readonly Column<Request>[] = [
  { heading: 'REQUEST', value: ({ id }) => shortId(id), whole: true },
  { heading: 'KEY', value: ({ key }) => key, min: 6, expendable: 3 },
  { heading: 'MODEL', value: ({ model }) => model },
  { heading: 'NODE', value: ({ node }) => node ?? '', min: 6, expendable: 4 },
  { heading: 'STATE', value: ({ state }) => state, whole: true },
  {
    heading: 'TOKENS',
    value: ({ output_events: events }) => (events === null || events === 0 ? '' : formatCount(events)),
    align: 'right',
    expendable: 2,
  },
  {
    heading: 'TOK/S',
    value: ({ tokens_per_second }) => tokens_per_second?.toFixed(1) ?? '',
    align: 'right',
    expendable: 1,
  },
  { heading: 'AGE', value: ({ age_ms }) => ageOf(age_ms), align: 'right', expendable: 5 },
];

function slotsOf({ slots_used: used, slots_total: total }: Node): string {
  if (used === null || total === null || total === 0) return '';
  const filled = Math.round((SLOT_BAR * Math.min(used, total)) / total);
  return `${'█'.repeat(filled)}${'░'.repeat(SLOT_BAR - filled)} ${String(used)}/${String(total)}`;
}

const memoryOf = ({ memory_used_bytes: used, memory_total_bytes: whole }: Node): string =>
  used === null || whole === null ? '' : formatMemory(used, whole);

const vramOf = ({ vram_used_bytes: used, vram_total_bytes: whole }: Node): string =>
  used === null || whole === null ? '' : formatMemory(used, whole);

const ageOf = (ms: number): string =>
  ms < 60_000 ? `${String(Math.round(ms / 1_000))} s` : `${String(Math.floor(ms / 60_000))} min`;
