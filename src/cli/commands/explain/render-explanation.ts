import pc from 'picocolors';
import stringWidth from 'string-width';
import { printable } from '../../../kernel/printable.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { cutMiddle } from '../../core/output/fit-columns.js';
import { renderTable, type Column } from '../../core/output/table.js';
import { inWords, seconds } from '../requests/request-times.js';
import { shortId } from '../../core/output/short-id.js';

/** Narrower than this a name says nothing any more. */
const SHORTEST_MODEL = 8;

type Explained = Schemas['ExplainedRequest'];
type Decision = Explained['decisions'][number];
type Candidate = Decision['candidates'][number];

interface Shown {
  /** Includes the parts of the predicted times. */
  readonly wide: boolean;
  readonly colors: boolean;
  readonly columns?: number;
}

interface Comparison {
  readonly what: string;
  readonly predicted: string;
  readonly actual: string;
}

/** Renders a request: its outcome, predicted and actual times, and every decision with its candidates. */
export function renderExplanation(
  request: Explained,
  logged: Schemas['LoggedRequest'] | undefined,
  { wide, colors, columns }: Shown,
): string {
  const { bold, dim } = pc.createColors(colors);
  const lines = [bold(printable(headline(request, logged, wide ? undefined : columns)))];
  lines.push(renderTable(comparisonColumns, comparisons(request, logged), colors, columns));
  lines.push(dim(describeQueue(request.queue) + (request.retried ? ` · ${describeRetry(request)}` : '')));
  if (logged?.message != null) lines.push(printable(`error: ${logged.message}`));
  if (request.missing !== null) lines.push('', printable(request.missing));
  request.decisions.forEach((decision, index) => {
    const which = request.decisions.length === 1 ? 'Decision' : `Decision ${String(index + 1)}`;
    lines.push('', printable(`${which}: ${verdictOf(decision)}`));
    const rows = [...decision.candidates].sort(byRank(decision));
    if (rows.length > 0) lines.push(renderTable(candidateColumns(decision, wide), rows, colors, columns));
    if (decision.placements > rows.length) lines.push(dim(describeSample(decision)));
  });
  if (request.attempts.length > 1 || request.attempts.some(({ reason }) => reason !== null)) {
    lines.push('', 'Attempts:');
    for (const { node_name, result, reason, hedge, at } of request.attempts) {
      const why = reason === null ? '' : ` (${inWords(reason)})`;
      lines.push(printable(`  ${at}  ${node_name}${hedge ? ', second at once' : ''}: ${result}${why}`));
    }
  }
  return lines.join('\n');
}

function headline(
  { id, model, outcome }: Explained,
  logged: Schemas['LoggedRequest'] | undefined,
  lineWidth: number | undefined,
): string {
  const end = logged?.code == null ? (outcome ?? 'under way') : `${outcome ?? ''} (${inWords(logged.code)})`;
  const figures = logged === undefined ? [] : [`${String(logged.output_tokens)} tokens`, seconds(logged.duration_ms)];
  if (lineWidth === undefined) return [id, model, end, ...figures].join(' · ');
  const rest = [end, ...figures].join(' · ');
  const room = lineWidth - stringWidth(`${shortId(id)} ·  · ${rest}`);
  return [shortId(id), cutMiddle(model, Math.max(room, SHORTEST_MODEL)), rest].join(' · ');
}

const comparisonColumns: readonly Column<Comparison>[] = [
  { heading: '', value: ({ what }) => what },
  { heading: 'PREDICTED', value: ({ predicted }) => predicted, align: 'right' },
  { heading: 'ACTUAL', value: ({ actual }) => actual, align: 'right' },
];

function comparisons({ decisions }: Explained, logged: Schemas['LoggedRequest'] | undefined): readonly Comparison[] {
  const [decision] = decisions;
  const chosen = decision?.candidates.find(({ node_id }) => node_id === decision.chosen);
  return [
    { what: 'first token', predicted: seconds(firstTokenMs(chosen)), actual: seconds(logged?.ttft_ms) },
    { what: 'total', predicted: seconds(chosen?.cost_ms), actual: seconds(logged?.duration_ms) },
  ];
}

/** Time of everything except decoding. */
const firstTokenMs = (candidate: Candidate | undefined): number | undefined =>
  candidate?.cost_ms == null || candidate.parts === null ? undefined : candidate.cost_ms - candidate.parts.decode_ms;

function describeQueue({ waited_ms: waited, position }: Schemas['RequestQueue']): string {
  if (waited === 0) return 'did not wait';
  return `waited ${seconds(waited)}${position === null ? '' : `, at position ${String(position)} of the queue`}`;
}

/** With many nodes, some are only counted. */
const describeSample = ({ candidates, considered, placements }: Decision): string =>
  `${considered} of ${placements} nodes were compared${considered > candidates.length ? `, ${candidates.length} are listed` : ''}`;

const describeRetry = ({ hedged }: Explained): string =>
  hedged ? 'retried on a second node while the first was late' : 'retried';

function verdictOf({ chosen, candidates, reason }: Decision): string {
  const name = candidates.find(({ node_id }) => node_id === chosen)?.node_name ?? chosen ?? 'no node';
  return `${name} (${inWords(reason)})`;
}

const candidateColumns = (decision: Decision, wide: boolean): readonly Column<Candidate>[] => [
  { heading: '', value: ({ node_id }) => (node_id === decision.chosen ? '✓' : ' '), whole: true },
  { heading: 'CANDIDATE', value: ({ node_name }) => node_name },
  { heading: 'FIRST', value: (candidate) => seconds(firstTokenMs(candidate)), align: 'right' },
  { heading: 'TOTAL', value: ({ cost_ms }) => seconds(cost_ms), align: 'right' },
  { heading: 'SLOTS', value: ({ slots }) => describeSlots(slots), align: 'right' },
  ...(wide ? partColumns : []),
  { heading: 'WHY', value: (candidate) => whyOf(candidate, decision) },
];

const partColumns: readonly Column<Candidate>[] = (
  [
    ['QUEUE', 'queue_ms'],
    ['PREFILL', 'prefill_ms'],
    ['DECODE', 'decode_ms'],
    ['LINK', 'link_ms'],
    ['AFFINITY', 'affinity_ms'],
  ] as const
).map(([heading, part]) => ({ heading, value: ({ parts }) => seconds(parts?.[part]), align: 'right' }));

function whyOf({ node_id, eligible, reason, parts }: Candidate, { chosen, reason: verdict }: Decision): string {
  if (node_id === chosen) {
    const saved = parts?.affinity_ms ?? 0;
    return `chosen: ${inWords(verdict)}${saved < 0 ? `, warm prefix saves ${seconds(-saved)}` : ''}`;
  }
  return eligible && reason === 'eligible' ? 'slower' : inWords(reason);
}

/** `1/4`, with the reported slots when fewer were learned. */
const describeSlots = (slots: Candidate['slots']): string => {
  if (!slots) return '';
  const { used, usable, advertised } = slots;
  return `${String(used)}/${String(usable)}${usable < advertised ? ` of ${String(advertised)}` : ''}`;
};

/** The chosen candidate, then the eligible ones by cost, then the others. */
const byRank =
  ({ chosen }: Decision) =>
  (a: Candidate, b: Candidate): number =>
    rank(a, chosen) - rank(b, chosen) || (a.cost_ms ?? Infinity) - (b.cost_ms ?? Infinity) || 0;

const rank = ({ node_id, eligible }: Candidate, chosen: string | null): number =>
  node_id === chosen ? 0 : eligible ? 1 : 2;
