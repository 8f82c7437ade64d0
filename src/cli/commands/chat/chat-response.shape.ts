import { z } from 'zod';

/** `ferry chat --json`: one document per answer. */
export const chatResponseShape = z.strictObject({
  object: z.literal('chat.answer'),
  model: z.string(),
  content: z.string(),
  reasoning: z.string().nullable().describe('null without --reasoning'),
  finish_reason: z.string().nullable().describe('null if cancelled'),
  cancelled: z.boolean(),
  usage: z
    .looseObject({
      prompt_tokens: z.number().int(),
      completion_tokens: z.number().int(),
      total_tokens: z.number().int(),
    })
    .nullable(),
  request_id: z.string().nullable().describe('for ferry explain'),
});

export type ChatResponse = z.output<typeof chatResponseShape>;
