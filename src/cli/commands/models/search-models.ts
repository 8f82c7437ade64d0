import { connect } from '../../core/api/connect.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { queryOf } from '../../core/args/query-of.js';
import { printList } from '../../core/output/print-list.js';
import type { Column } from '../../core/output/table.js';
import type { Invocation } from '../../invocation.js';
import { formatCount } from '../../core/output/quantities.js';
import { localMinute } from '../../core/output/time.js';

const columns: readonly Column<Schemas['CatalogModel']>[] = [
  { heading: 'MODEL', value: ({ id }) => `hf:${id}`, whole: true },
  { heading: 'DOWNLOADS', value: ({ downloads }) => formatCount(downloads), align: 'right' },
  { heading: 'LIKES', value: ({ likes }) => formatCount(likes), align: 'right' },
  { heading: 'CHANGED', value: ({ updated }) => (updated === null ? '' : localMinute(updated).slice(0, 10)) },
  { heading: 'ACCESS', value: ({ gated }) => (gated ? 'gated' : 'open') },
];

/** Models on Hugging Face that nodes could install. */
export async function searchModels(invocation: Invocation, words: readonly string[]): Promise<void> {
  const api = await connect(invocation);
  const rows = await api.list<Schemas['CatalogModel']>(`/api/catalog${queryOf({ source: 'hf', q: words.join(' ') })}`);
  await printList(invocation, { rows, columns, whenEmpty: 'nothing found; try fewer words' });
  const [first] = rows;
  if (first !== undefined && invocation.global.output === 'table') {
    invocation.terminal.note(`  next: ferry run hf:${first.id}`);
  }
}
