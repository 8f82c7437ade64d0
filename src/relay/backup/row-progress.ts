import type { TableRecord } from './backup-format.js';

/** Called as rows are copied, for somebody who watches. */
export type OnRows = (done: number, total: number) => void;

export interface Watched {
  readonly onRows?: OnRows | undefined;
  /** Ends the copy between two rows. */
  readonly signal?: AbortSignal | undefined;
}

const ROWS_PER_CALL = 100;

/** The same records. @param total rows of all tables */
export async function* watchRecords<Header>(
  records: AsyncIterable<TableRecord<Header>>,
  total: number,
  { onRows, signal }: Watched,
): AsyncGenerator<TableRecord<Header>> {
  let done = 0;
  for await (const record of records) {
    signal?.throwIfAborted();
    yield record;
    if (record.kind !== 'row') continue;
    done += 1;
    if (done % ROWS_PER_CALL === 0 || done === total) onRows?.(done, total);
  }
}
