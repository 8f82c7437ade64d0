import { connect } from '../../core/api/connect.js';
import type { Invocation } from '../../invocation.js';
import { renderFacts } from '../../core/output/facts.js';
import { printData } from '../../core/output/print-data.js';
import { printable } from '../../../kernel/printable.js';
import { renderTable, type Column } from '../../core/output/table.js';
import type { Schemas } from '../../core/api/management-api.types.js';

type Decision = Schemas['ExplainedRequest']['decisions'][number];
type Candidate = Decision['candidates'][number];

/** Prints a decision: the request, its candidates, the chosen node and the outcome. */
export async function explainRequest(invocation: Invocation, id: string): Promise<void> {
  const api = await connect(invocation);
  const hint = 'the id is x-request-id of the answer; the relay keeps decisions for a while only';
  const request = await api.get<Schemas['ExplainedRequest']>(`/api/requests/${encodeURIComponent(id)}`, hint);
  const { terminal } = invocation;
  await printData(invocation, request, () => {
    terminal.print(renderFacts(factsOf(request), terminal.stdoutColors));
    request.decisions.forEach((decision, index) => {
      const which = request.decisions.length === 1 ? 'Decision' : `Decision ${String(index + 1)}`;
      terminal.print(`\n${which} at ${printable(decision.at)}: ${printable(verdictOf(decision))}`);
      const rows = [...decision.candidates].sort(byRank(decision));
      if (rows.length === 0) return;
      terminal.print(renderTable(columnsOf(decision), rows, terminal.stdoutColors, terminal.columns));
    });
    if (request.attempts.length > 0) terminal.print('\nWhat became of it:');
    for (const { node_name, result, reason, hedge, at } of request.attempts) {
      const why = reason === null ? '' : ` (${reason})`;
      const which = hedge ? ', second at once' : '';
      terminal.print(`  ${printable(`${at}  ${node_name}${which}: ${result}${why}`)}`);
    }
  });
}

const factsOf = (request: Schemas['ExplainedRequest']): [string, string | null][] => [
  ['Request', request.id],
  ['Model', request.model],
  ['Dialect', request.dialect],
  ['Decided', request.decided_at],
  ['Queue', describeQueue(request.queue)],
  ['Outcome', request.outcome ?? 'under way'],
  ['Retried', request.hedged ? 'yes, on a second node while the first was late' : request.retried ? 'yes' : 'no'],
];

function describeQueue({ waited_ms: waited, position }: Schemas['RequestQueue']): string {
  if (waited === 0) return 'did not wait';
  return `waited ${duration(waited)}${position === null ? '' : `, came in at place ${String(position)}`}`;
}

/** `1/4`, with the reported slots where fewer were learned. */
const describeSlots = (slots: Candidate['slots']): string => {
  if (!slots) return '';
  const { used, usable, advertised } = slots;
  return `${String(used)}/${String(usable)}${usable < advertised ? ` of ${String(advertised)}` : ''}`;
};

function verdictOf({ chosen, candidates, reason }: Decision): string {
  const name = candidates.find(({ node_id }) => node_id === chosen)?.node_name ?? chosen ?? 'no node';
  return `${name} (${reason})`;
}

const columnsOf = ({ chosen }: Decision): readonly Column<Candidate>[] => [
  { heading: '', value: ({ node_id }) => (node_id === chosen ? '→' : ' '), whole: true },
  { heading: 'NODE', value: ({ node_name }) => node_name },
  { heading: 'SLOTS', value: ({ slots }) => describeSlots(slots) },
  { heading: 'COST', value: ({ cost_ms }) => cost(cost_ms) },
  { heading: 'QUEUE', value: ({ parts }) => cost(parts?.queue_ms) },
  { heading: 'PREFILL', value: ({ parts }) => cost(parts?.prefill_ms) },
  { heading: 'DECODE', value: ({ parts }) => cost(parts?.decode_ms) },
  { heading: 'LINK', value: ({ parts }) => cost(parts?.link_ms) },
  { heading: 'AFFINITY', value: ({ parts }) => cost(parts?.affinity_ms) },
  { heading: 'WHY', value: ({ reason }) => reason },
];

/** The chosen candidate, then the eligible ones by cost, then the others. */
const byRank =
  ({ chosen }: Decision) =>
  (a: Candidate, b: Candidate): number =>
    rank(a, chosen) - rank(b, chosen) || (a.cost_ms ?? Infinity) - (b.cost_ms ?? Infinity) || 0;

const rank = ({ node_id, eligible }: Candidate, chosen: string | null): number =>
  node_id === chosen ? 0 : eligible ? 1 : 2;

const cost = (value: number | null | undefined): string =>
  value === null || value === undefined ? '' : duration(value);

/** `340 ms`, from ten seconds on `12.3 s`; negative for a saving. */
const duration = (value: number): string =>
  Math.abs(value) < 10_000 ? `${String(Math.round(value))} ms` : `${(value / 1_000).toFixed(1)} s`;
