/** Headers and parameters of `/api`, as components. */
import { headerComponents } from '../../src/relay/openapi/inference/headers.js';
import type { Schema } from '../../src/dialects/schema.js';

const header = (name: string): Schema => ({ $ref: `#/components/headers/${name}` });

const { RequestId, RetryAfter, ShouldRetry } = headerComponents as Readonly<Record<string, Schema>>;

export const managementHeaderComponents: Schema = {
  RequestId,
  RetryAfter,
  ShouldRetry,
  RateLimitPolicy: {
    description: 'Limits: `q` requests per `w` seconds (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string', examples: ['"credential";q=500;w=10, "account";q=1000;w=10'] },
  },
  RateLimit: {
    description: 'Remaining quota of each limit: `r` requests, and full again after `t` seconds.',
    schema: { type: 'string', examples: ['"credential";r=499;t=1, "account";r=999;t=1'] },
  },
  IdempotentReplayed: {
    description:
      '`true` if this is the stored response of an earlier request with the same `Idempotency-Key`; otherwise absent.',
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
      'Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$', examples: ['7d7f9a52-41f5-4a0c-8f0e-5f0f4c1a7d55'] },
  },
};

export const parameter = (name: string): Schema => ({ $ref: `#/components/parameters/${name}` });
