/** Fields that entries of `engines.json` have in common, whatever their kind. */
import { z } from 'zod';
import { inputKinds } from '../../kernel/dialect.js';

/** An engine's name is part of every model's key, which has a bound on the link. */
export const nameField = z.string().regex(/^[\w.@:-]{1,100}$/, 'letters, digits and . _ - @ : only, at most 100');

/** One link carries this many requests at once: more slots would be promised and never used. */
const MOST_SLOTS = 1_024;

export const slotsField = z
  .number()
  .int()
  .min(1)
  .max(
    MOST_SLOTS,
    `at most ${MOST_SLOTS}, because the link of a node carries no more requests at once; further nodes may serve the same engine`,
  );

export const contextTokensField = z.number().int().min(128).max(10_000_000);

export const pollMsField = z.number().int().min(100).max(600_000);

export const inputsField = z.array(z.enum(inputKinds)).min(1);

/** A trailing `/v1` is optional, because documentation of engines gives either form. */
export const baseUrlField = z
  .url({ protocol: /^https?$/, abort: true, error: 'an address like http://127.0.0.1:8080 is needed' })
  .refine((text) => {
    const url = new URL(text);
    return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  }, 'must not have a user, password, query or fragment')
  .transform((text) => new URL(text));

/** Name of the environment variable with the engine's API key, so that the key is not in a file. */
export const apiKeyEnvField = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable, not the key');
