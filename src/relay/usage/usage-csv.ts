import { countedColumns } from './counted-columns.js';
import { csvLine } from '../api/csv-line.js';
import type { UsageGroupRecord } from './usage-record.js';

const columns = ['key', 'name', ...countedColumns] as const satisfies readonly (keyof UsageGroupRecord)[];

/** With the names of the JSON fields in the first line. */
export const usageCsv = (groups: readonly UsageGroupRecord[]): string =>
  [columns, ...groups.map((group) => columns.map((column) => group[column]))].map(csvLine).join('');
