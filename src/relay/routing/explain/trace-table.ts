import type { Dialect } from '../../../kernel/dialect.js';
import type { AccountId, NodeId, RequestId } from '../../../kernel/ids.js';
import { TableRows, type CandidateTable } from './candidate-table.js';
import type { AttemptNote, RequestTrace } from './request-trace.js';

const TABLE_ROWS = 512;
/** Stands in a row that has no such value. */
const NONE = -1;

/** Columns of numbers. Texts are numbers of the table's texts. */
const columns = [
  'decidedAtWallMs',
  'decidedAtMs',
  'account',
  'model',
  'dialect',
  'outcome',
  'queuedMs',
  'position',
  'bytes',
  'decisionAtMs',
  'candidateTableUse',
  'firstCandidate',
  'candidates',
  'considered',
  'placements',
  'chosen',
  'decisionReason',
  'attemptNode',
  'attemptNodeName',
  'attemptAtMs',
  'attemptResult',
  'attemptReason',
  'attemptHedge',
] as const;
type Column = (typeof columns)[number];
const at = Object.fromEntries(columns.map((name, index) => [name, index])) as Readonly<Record<Column, number>>;

/**
 * Traces in the order of their first decision. A finished one with one decision and one attempt, as nearly all are, becomes a row of numbers:
 * as objects, the traces of the latest requests live just long enough to be promoted by the garbage collector.
 */
export class TraceTable {
  private readonly values = new Float64Array(TABLE_ROWS * columns.length);
  private readonly ids: RequestId[] = [];
  /** Null: it is a row. */
  private readonly traces: (RequestTrace | null)[] = [];
  private readonly candidateTables: (CandidateTable | null)[] = [];
  private readonly texts: string[] = [];
  private readonly textNumbers = new Map<string, number>();
  /** Traces that were added and are not finished. */
  private unfinished = 0;

  /** Nothing will be written into it any more. */
  get isFinished(): boolean {
    return this.unfinished === 0;
  }

  /** Empties the table for other traces. */
  reuse(): void {
    this.unfinished = 0;
    for (const list of [this.ids, this.traces, this.candidateTables, this.texts]) list.length = 0;
    this.textNumbers.clear();
  }

  get size(): number {
    return this.ids.length;
  }

  get isFull(): boolean {
    return this.ids.length === TABLE_ROWS;
  }

  /** @returns its position, for {@link finish} */
  add(trace: RequestTrace): number {
    this.traces.push(trace);
    this.candidateTables.push(null);
    this.unfinished += 1;
    return this.ids.push(trace.id) - 1;
  }

  /** Oldest first. */
  *all(): Iterable<RequestTrace> {
    for (let position = 0; position < this.ids.length; position += 1) yield this.read(position);
  }

  find(id: RequestId): RequestTrace | undefined {
    const position = this.ids.lastIndexOf(id);
    return position < 0 ? undefined : this.read(position);
  }

  /** The trace does not change any more. Once for each. */
  finish(position: number): void {
    const trace = this.traces[position];
    if (trace == null) return;
    this.unfinished -= 1;
    const { decisions, attempts } = trace;
    const [decision] = decisions;
    const [attempt] = attempts;
    if (decision === undefined || attempt === undefined || decisions.length + attempts.length > 2) return;
    const { candidates } = decision;
    if (!(candidates instanceof TableRows)) return;
    this.traces[position] = null;
    this.candidateTables[position] = candidates.table;
    const { values } = this;
    const row = position * columns.length;
    values[row + at.decidedAtWallMs] = trace.decidedAtWallMs;
    values[row + at.decidedAtMs] = trace.decidedAtMs;
    values[row + at.account] = this.numberOf(trace.accountId);
    values[row + at.model] = this.numberOf(trace.model);
    values[row + at.dialect] = this.numberOf(trace.dialect);
    values[row + at.outcome] = this.numberOf(trace.outcome);
    values[row + at.queuedMs] = trace.queuedMs;
    values[row + at.position] = trace.position ?? NONE;
    values[row + at.bytes] = trace.bytes;
    values[row + at.decisionAtMs] = decision.atMs;
    values[row + at.candidateTableUse] = candidates.use;
    values[row + at.firstCandidate] = candidates.from;
    values[row + at.candidates] = candidates.count;
    values[row + at.considered] = decision.considered;
    values[row + at.placements] = decision.placements;
    values[row + at.chosen] = this.numberOf(decision.chosen);
    values[row + at.decisionReason] = this.numberOf(decision.reason);
    values[row + at.attemptNode] = this.numberOf(attempt.nodeId);
    values[row + at.attemptNodeName] = this.numberOf(attempt.nodeName);
    values[row + at.attemptAtMs] = attempt.atMs;
    values[row + at.attemptResult] = this.numberOf(attempt.result);
    values[row + at.attemptReason] = this.numberOf(attempt.reason);
    values[row + at.attemptHedge] = attempt.hedge ? 1 : 0;
  }

  private read(position: number): RequestTrace {
    const trace = this.traces[position];
    if (trace != null) return trace;
    const id = this.ids[position];
    const table = this.candidateTables[position];
    if (id === undefined || table == null) throw new Error('no such row');
    const valueOf = (column: Column): number => this.values[position * columns.length + at[column]] ?? 0;
    const textOrNull = (column: Column): string | null => this.texts[valueOf(column)] ?? null;
    const text = (column: Column): string => textOrNull(column) ?? '';
    const inQueue = valueOf('position');
    return {
      id,
      accountId: text('account') as AccountId,
      model: text('model'),
      dialect: text('dialect') as Dialect,
      decidedAtWallMs: valueOf('decidedAtWallMs'),
      decidedAtMs: valueOf('decidedAtMs'),
      decisions: [
        {
          atMs: valueOf('decisionAtMs'),
          candidates: new TableRows(
            table,
            valueOf('candidateTableUse'),
            valueOf('firstCandidate'),
            valueOf('candidates'),
          ),
          considered: valueOf('considered'),
          placements: valueOf('placements'),
          chosen: textOrNull('chosen') as NodeId | null,
          reason: text('decisionReason'),
        },
      ],
      attempts: [
        {
          nodeId: text('attemptNode') as NodeId,
          nodeName: text('attemptNodeName'),
          atMs: valueOf('attemptAtMs'),
          result: text('attemptResult') as AttemptNote['result'],
          reason: textOrNull('attemptReason'),
          hedge: valueOf('attemptHedge') === 1,
        },
      ],
      outcome: textOrNull('outcome') as RequestTrace['outcome'],
      queuedMs: valueOf('queuedMs'),
      position: inQueue === NONE ? null : inQueue,
      bytes: valueOf('bytes'),
    };
  }

  private numberOf(text: string | null): number {
    if (text === null) return NONE;
    let number = this.textNumbers.get(text);
    if (number === undefined) this.textNumbers.set(text, (number = this.texts.push(text) - 1));
    return number;
  }
}
