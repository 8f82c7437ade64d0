import type { ClusterId, NodeId } from '../../../kernel/ids.js';
import type { CandidateReason, Considered } from '../selection/decision.js';

/** The result for one placement in one decision, for explanations. */
export interface CandidateNote extends Omit<Considered, 'placement'> {
  readonly nodeId: NodeId;
  readonly nodeName: string;
  readonly clusterId: ClusterId;
}

/** The candidates of one decision, materialised only when requested. */
export interface RecordedCandidates {
  readonly count: number;
  read(): CandidateNote[];
}

type CandidateNode = Pick<CandidateNote, 'nodeId' | 'nodeName' | 'clusterId'>;

/** Candidates kept per decision; with more nodes, the chosen one and its neighbours are kept. */
const RECORDED_CANDIDATES = 64;

/** Place, reason, busy, slots, advertised, cost, whether it has parts, and the five parts. */
const COLUMNS = 12;
const TABLE_ROWS = 512;
/** Bytes of a row; names are shared by the rows of a table. */
export const ROW_BYTES = COLUMNS * Float64Array.BYTES_PER_ELEMENT;

/** Encoding of the reasons; exhaustive by type. */
const reasonNumbers: Readonly<Record<CandidateReason, number>> = {
  eligible: 0,
  full: 1,
  excluded: 2,
  avoided: 3,
  context_too_short: 4,
  not_loaded: 5,
  lacks_capability: 6,
  paused: 7,
  draining: 8,
  suspect: 9,
  not_accepting: 10,
  engine_unreachable: 11,
};
/** The order is that of their codes. */
export const candidateReasons = Object.keys(reasonNumbers) as readonly CandidateReason[];

/**
 * Candidates as rows of numbers. Every request records all of its candidates, and explanations are rarely requested: as objects they would
 * survive just long enough to be promoted by the garbage collector, which was a tenth of the cost of a small request.
 */
export class CandidateTable {
  private readonly values = new Float64Array(TABLE_ROWS * COLUMNS);
  private readonly nodes: CandidateNode[] = [];
  private readonly indexByNode = new Map<NodeId, number>();
  /** Decisions have their candidates in the same order, so the next place is nearly always known without a look-up. */
  private likelyIndex = 0;
  private rows = 0;
  private use = 0;

  /** Changes whenever the table is used anew: rows that were noted before are gone. */
  get currentUse(): number {
    return this.use;
  }

  /** Empties the table for other decisions. */
  reuse(): void {
    this.use += 1;
    this.rows = 0;
    this.likelyIndex = 0;
    this.nodes.length = 0;
    this.indexByNode.clear();
  }

  /** Undefined when the table is full: the caller needs another one. */
  note(candidates: readonly Considered[], chosen: Considered | null): RecordedCandidates | undefined {
    const state = Math.min(RECORDED_CANDIDATES, candidates.length);
    if (this.rows + state + 1 > TABLE_ROWS) return undefined;
    const from = this.rows;
    let chosenKept = chosen === null;
    for (let index = 0; index < state; index += 1) {
      const candidate = candidates[index];
      if (candidate === undefined) break;
      this.write(candidate);
      chosenKept ||= candidate === chosen;
    }
    if (chosen !== null && !chosenKept) this.write(chosen);
    return new TableRows(this, this.use, from, this.rows - from);
  }

  read(row: number): CandidateNote {
    const at = row * COLUMNS;
    const valueOf = (column: number): number => this.values[at + column] ?? 0;
    const nodeIndex = this.nodes[valueOf(0)];
    const reason = candidateReasons[valueOf(1)];
    if (nodeIndex === undefined || reason === undefined) throw new Error('no such row');
    return {
      ...nodeIndex,
      reason,
      busy: valueOf(2),
      slots: valueOf(3),
      advertised: valueOf(4),
      cost: valueOf(5),
      parts:
        valueOf(6) === 0
          ? null
          : {
              queueMs: valueOf(7),
              prefillMs: valueOf(8),
              decodeMs: valueOf(9),
              linkMs: valueOf(10),
              affinityMs: valueOf(11),
            },
    };
  }

  private write({ placement: { node }, reason, busy, slots, advertised, cost, parts }: Considered): void {
    const { values } = this;
    const at = this.rows * COLUMNS;
    this.rows += 1;
    values[at] = this.nodeIndex(node.nodeId, node.name, node.clusterId);
    // Nearly always this one, which needs no look-up.
    values[at + 1] = reason === 'eligible' ? reasonNumbers.eligible : reasonNumbers[reason];
    values[at + 2] = busy;
    values[at + 3] = slots;
    values[at + 4] = advertised;
    values[at + 5] = cost;
    values[at + 6] = parts === null ? 0 : 1;
    if (parts === null) return;
    values[at + 7] = parts.queueMs;
    values[at + 8] = parts.prefillMs;
    values[at + 9] = parts.decodeMs;
    values[at + 10] = parts.linkMs;
    values[at + 11] = parts.affinityMs;
  }

  /** Only strings are kept: an explanation must not keep the node itself in memory. */
  private nodeIndex(nodeId: NodeId, nodeName: string, clusterId: ClusterId): number {
    let index = this.likelyIndex;
    if (!this.isPlace(index, nodeId, nodeName, clusterId)) {
      index = this.indexByNode.get(nodeId) ?? this.nodes.length;
      if (!this.isPlace(index, nodeId, nodeName, clusterId)) {
        index = this.nodes.push({ nodeId, nodeName, clusterId }) - 1;
        this.indexByNode.set(nodeId, index);
      }
    }
    this.likelyIndex = index + 1 < this.nodes.length ? index + 1 : 0;
    return index;
  }

  private isPlace(index: number, nodeId: NodeId, nodeName: string, clusterId: ClusterId): boolean {
    const nodeIndex = this.nodes[index];
    return nodeIndex?.nodeId === nodeId && nodeIndex.nodeName === nodeName && nodeIndex.clusterId === clusterId;
  }
}

/** Keeps its table in memory, and so at most {@link TABLE_ROWS} rows of others. Empty once the table is used for other decisions. */
export class TableRows implements RecordedCandidates {
  constructor(
    readonly table: CandidateTable,
    readonly use: number,
    readonly from: number,
    readonly count: number,
  ) {}

  read(): CandidateNote[] {
    if (this.table.currentUse !== this.use) return [];
    return Array.from({ length: this.count }, (_, index) => this.table.read(this.from + index));
  }
}
