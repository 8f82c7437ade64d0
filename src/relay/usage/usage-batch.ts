import { COPY_NULL, copyText } from '../platform/database/copy-rows.js';
import { NamedThings, type NamedThing } from './named-things.js';
import type { UsageRow } from './usage-row.js';
import { addToSum, hourOf, UsageSums, type UsageSum } from './usage-sums.js';

/** Columns that the rows of one node mostly have in common. */
const SHARED_COLUMNS = [
  'account_id',
  'key_id',
  'node_id',
  'cluster_id',
  'model',
  'model_name',
  'requested_model',
  'dialect',
  'stream',
  'outcome',
  'code',
  'message',
  'attempts',
  'retried',
  'source',
] as const satisfies readonly (keyof UsageRow)[];

/** Columns of {@link UsageBatch.lines}, in their order. */
export const lineColumns = [
  ...SHARED_COLUMNS,
  'id',
  'started_at',
  'input_tokens',
  'cached_tokens',
  'output_tokens',
  'reasoning_tokens',
  'queue_ms',
  'ttft_ms',
  'duration_ms',
] as const satisfies readonly (keyof UsageRow)[];

/** A longer text would leave the young generation. */
const CHUNK_CHARACTERS = 32_768;

/** The latest row of a node, with all that the next one needs if it shares these columns. */
interface Latest {
  readonly row: UsageRow;
  readonly hour: string;
  readonly sum: UsageSum;
  readonly text: string;
}

/** Prepares a batch of rows in one pass: several thousand requests a second may end. */
export class UsageBatch {
  private readonly things = new NamedThings();
  private readonly sumsOfHours = new UsageSums();
  private readonly latest = new Map<string | null, Latest>();
  private readonly chunks: Buffer[] = [];
  private text = '';

  constructor(rows: readonly UsageRow[]) {
    for (const row of rows) this.add(row);
    this.chunks.push(Buffer.from(this.text));
  }

  /** Pass these lines to `COPY`, with {@link lineColumns}. */
  get lines(): Buffer {
    return Buffer.concat(this.chunks);
  }

  get sums(): readonly UsageSum[] {
    return this.sumsOfHours.all;
  }

  get named(): readonly NamedThing[] {
    return this.things.all;
  }

  private add(row: UsageRow): void {
    const { text, sum } = this.sharedWith(row);
    addToSum(sum, row);
    // Ids, times and numbers: nothing that `COPY` escapes.
    this.text += `${text}${row.id}\t${row.started_at}\t${row.input_tokens}\t${row.cached_tokens}\t${row.output_tokens}\t${row.reasoning_tokens}\t${row.queue_ms}\t${row.ttft_ms ?? COPY_NULL}\t${row.duration_ms}\n`;
    if (this.text.length < CHUNK_CHARACTERS) return;
    this.chunks.push(Buffer.from(this.text));
    this.text = '';
  }

  private sharedWith(row: UsageRow): Latest {
    const known = this.latest.get(row.node_id);
    if (known !== undefined && isAlike(known.row, row) && row.started_at.startsWith(known.hour)) return known;
    this.things.add(row);
    const text = `${copyText(SHARED_COLUMNS.map((column) => row[column]))}\t`;
    const latest = { row, hour: hourOf(row), sum: this.sumsOfHours.sumOf(row), text };
    this.latest.set(row.node_id, latest);
    return latest;
  }
}

/** In the shared columns. Written out: a loop over their names costs several times as much. */
const isAlike = (one: UsageRow, other: UsageRow): boolean =>
  one.key_id === other.key_id &&
  one.model === other.model &&
  one.model_name === other.model_name &&
  one.requested_model === other.requested_model &&
  one.dialect === other.dialect &&
  one.stream === other.stream &&
  one.outcome === other.outcome &&
  one.code === other.code &&
  one.message === other.message &&
  one.attempts === other.attempts &&
  one.retried === other.retried &&
  one.source === other.source &&
  one.account_id === other.account_id &&
  one.node_id === other.node_id &&
  one.cluster_id === other.cluster_id;
