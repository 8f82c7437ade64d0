import { z } from 'zod';

/** An id in a message of another replica. */
export const idText = <Id extends string>(): z.ZodType<Id> => z.string().min(1).max(64) as unknown as z.ZodType<Id>;
