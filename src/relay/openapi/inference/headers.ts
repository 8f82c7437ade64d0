/** Headers of requests and answers, as components (docs/reference/api-behaviour.md#response-headers). */
import type { Schema } from './schema.js';

const noNodeReasons = [
  'no_node_online',
  'model_not_loaded',
  'model_loading',
  'engine_unreachable',
  'cluster_offline',
  'nodes_unavailable',
];

const EXAMPLE_REQUEST_ID = 'req_5Q2n7TzV0aLkR8sWxY3bUc';

export const headerComponents: Schema = {
  RequestId: {
    description: 'Names this request. Quote it when you report a problem.',
    required: true,
    schema: { type: 'string', examples: [EXAMPLE_REQUEST_ID] },
  },
  RetryAfter: {
    description: 'Seconds after which a repetition makes sense.',
    schema: { type: 'integer', minimum: 0, examples: [3] },
  },
  ShouldRetry: {
    description:
      'Official SDKs obey it over the status. `false` on every failure after a node accepted the prompt, so that no prompt runs twice unasked; `true` on capacity and `no node for user`.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
  NoNodeReason: {
    description: 'Why no node could take the request; only beside the plain text `no node for user`.',
    schema: { type: 'string', enum: noNodeReasons },
  },
  ServedModel: {
    description:
      'Only when the request named a display name that several models of one canonical name have: the selector of the one that answers. A stream whose headers had to go out before its node began does without.',
    schema: { type: 'string', pattern: '^mdl_[0-9a-f]{16}$' },
  },
  Translation: {
    description:
      '`native` when the engine speaks this protocol itself, `translated` when the node translated; each with the request fields that had no effect.',
    schema: { type: 'string', pattern: '^(native|translated)(; dropped=[^;]+)?(; more=\\d+)?$' },
    examples: {
      native: { value: 'native' },
      translated: { value: 'translated; dropped=service_tier,logit_bias' },
    },
  },
};

const header = (name: string): Schema => ({ $ref: `#/components/headers/${name}` });

/** On every answer, good or bad; OpenAI's clients read the first, Anthropic's the second. */
export const answerHeaders: Schema = { 'x-request-id': header('RequestId'), 'request-id': header('RequestId') };

export const translatedAnswerHeaders: Schema = {
  ...answerHeaders,
  'x-ferry-translation': header('Translation'),
  'x-ferry-model': header('ServedModel'),
};

export const retryHeaders: Schema = { 'Retry-After': header('RetryAfter'), 'x-should-retry': header('ShouldRetry') };

export const noNodeHeaders: Schema = { 'x-ferry-reason': header('NoNodeReason') };

export const parameterComponents: Schema = {
  ClusterPin: {
    name: 'X-Cluster-ID',
    in: 'header',
    required: false,
    description:
      'Scopes the request to one cluster; its own `loaded` counts then. Take it from `clusters[].cluster_id` of `GET /v1/models`. Without it, all clusters of the account take part; an empty value is no cluster and answered with 404.',
    schema: { type: 'string', pattern: '^cl_[0-9A-Za-z]{8,40}$' },
  },
};
