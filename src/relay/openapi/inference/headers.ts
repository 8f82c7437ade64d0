/** Headers of requests and answers, as components (docs/reference/api-behaviour.md#response-headers). */
import type { Schema } from '../../../dialects/schema.js';

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
    description: 'Id of this request. Include it when you report a problem.',
    required: true,
    schema: { type: 'string', examples: [EXAMPLE_REQUEST_ID] },
  },
  RetryAfter: {
    description: 'Seconds to wait before a retry.',
    schema: { type: 'integer', minimum: 0, examples: [3] },
  },
  ShouldRetry: {
    description:
      'Takes precedence over the status in official SDKs. `false` for every failure after a node accepted the prompt, so that an SDK does not run a prompt twice; `true` for exhausted capacity and `no node for user`.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
  NoNodeReason: {
    description: 'Why no node could serve the request. Only with the plain text `no node for user`.',
    schema: { type: 'string', enum: noNodeReasons },
  },
  ServedModel: {
    description:
      'Selector of the model that serves the request. Only if the request used a display name shared by several models with the same canonical name. Absent if the headers of a stream were sent before its node started.',
    schema: { type: 'string', pattern: '^mdl_[0-9a-f]{16}$' },
  },
  Translation: {
    description:
      '`native` if the engine supports this protocol, `translated` if the node translated the request; followed by the request fields that had no effect.',
    schema: { type: 'string', pattern: '^(native|translated)(; dropped=[^;]+)?(; more=\\d+)?$' },
    examples: {
      native: { value: 'native' },
      translated: { value: 'translated; dropped=service_tier,logit_bias' },
    },
  },
};

const header = (name: string): Schema => ({ $ref: `#/components/headers/${name}` });

/** On every answer, good or bad; OpenAI's clients read the first, Anthropic's the second. */
export const responseHeaders: Schema = { 'x-request-id': header('RequestId'), 'request-id': header('RequestId') };

export const translatedResponseHeaders: Schema = {
  ...responseHeaders,
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
      'Limits the request to one cluster, whose own `loaded` state then applies. Use a value of `clusters[].cluster_id` from `GET /v1/models`. Without this header all clusters of the account are considered. An empty value gets a 404.',
    schema: { type: 'string', pattern: '^cl_[0-9A-Za-z]{8,40}$' },
  },
};
