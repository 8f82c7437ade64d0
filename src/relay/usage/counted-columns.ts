/** What is added up per hour, by the names of the columns, of the JSON fields and of the CSV; in the order in which people read it. */
export const countedColumns = [
  'requests',
  'completed',
  'failed',
  'cancelled',
  'timed_out',
  'rejected',
  'input_tokens',
  'cached_tokens',
  'output_tokens',
  'reasoning_tokens',
  'estimated_requests',
] as const;
