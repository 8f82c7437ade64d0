import { z } from 'zod';

/** `ferry env`. */
export const envShape = z.strictObject({
  object: z.literal('env'),
  tool: z.string(),
  base_url: z.string().describe('without /v1'),
  variables: z.record(z.string(), z.string()),
  unset: z.array(z.string()).describe('variables to unset, because they take precedence over these'),
  file: z.strictObject({ path: z.string(), content: z.string() }).nullable(),
});

export type EnvResponse = z.output<typeof envShape>;
