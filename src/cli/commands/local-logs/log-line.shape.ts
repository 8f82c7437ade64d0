import { z } from 'zod';
import { logLevels } from '../../../kernel/log/log-record.js';
import { logParts } from './log-line.js';

/** `ferry logs --json`: one document per line of the log. */
export const logLineShape = z.strictObject({
  object: z.literal('log_line'),
  time: z.string().nullable().describe('ISO 8601'),
  part: z.enum(logParts).describe('which program wrote the line'),
  level: z.enum(logLevels).nullable().describe('null: the line has none, such as the trace of a crash'),
  message: z.string(),
  fields: z.record(z.string(), z.unknown()).describe('everything else that the line has'),
});
