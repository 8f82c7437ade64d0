/** Headers and parameters of `/api`, as components. */
import { headerComponents } from '../../src/relay/openapi/inference/headers.js';
import type { Schema } from '../../src/relay/openapi/inference/schema.js';

const header = (name: string): Schema => ({ $ref: `#/components/headers/${name}` });

const { RequestId, RetryAfter, ShouldRetry } = headerComponents as Readonly<Record<string, Schema>>;

export const managementHeaderComponents: Schema = {
  RequestId,
  RetryAfter,
  ShouldRetry,
  RateLimitPolicy: {
    description: 'What each limit allows: `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string', examples: ['"credential";q=500;w=10, "account";q=1000;w=10'] },
  },
  RateLimit: {
    description: 'What is left of each limit: `r` requests now, all of them again after `t` seconds.',
    schema: { type: 'string', examples: ['"credential";r=499;t=1, "account";r=999;t=1'] },
  },
  IdempotentReplayed: {
    description: '`true` when this is the answer of an earlier request with the same `Idempotency-Key`; else absent.',
    schema: { type: 'string', const: 'true' },
  },
};

export const rateHeaders: Schema = { 'RateLimit-Policy': header('RateLimitPolicy'), RateLimit: header('RateLimit') };
export const replayHeaders: Schema = { 'Idempotent-Replayed': header('IdempotentReplayed') };

export const managementParameterComponents: Schema = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$', examples: ['7d7f9a52-41f5-4a0c-8f0e-5f0f4c1a7d55'] },
  },
};

export const parameter = (name: string): Schema => ({ $ref: `#/components/parameters/${name}` });
