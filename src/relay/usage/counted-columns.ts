/** The hourly sums: names of the columns, the JSON fields and the CSV, in the order of the CSV. */
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
