/** `GET /v1/models` (docs/reference/public-api.md#model-record, docs/reference/public-api.md#list-models). */
import { flag, integer, list, literal, object, ref, text, type Schema } from '../../../../dialects/schema.js';

/** The relay does not know this value. */
const nothing: Schema = { type: 'null' };

export const modelSchemas: Readonly<Record<string, Schema>> = {
  ClusterAvailability: object(
    {
      cluster_id: { ...text('For the header `X-Cluster-ID`.'), pattern: '^cl_[0-9A-Za-z]{8,40}$' },
      loaded: flag('Whether the model is loaded on a computer of this cluster.'),
    },
    ['cluster_id'],
  ),
  Model: object(
    {
      id: text('Value for `model` in requests: the display name, or the selector if the name is ambiguous.'),
      selector: {
        ...text('Identifies one model; the same on every computer and after every restart.'),
        pattern: '^mdl_[0-9a-f]{16}$',
      },
      display_name: text(),
      canonical_name: text(),
      object: literal('model'),
      created: integer('When the model was first seen in the account, in seconds since 1970.'),
      owned_by: text('Name of the service in lower case.'),
      loaded: flag(
        'Whether the model is loaded on any cluster of this list. If missing or false, it is only installed, and no request will load it.',
      ),
      clusters: list(ref('ClusterAvailability')),
      type: { ...literal('model'), description: 'With the header `anthropic-version` only, as the members below.' },
      created_at: text('The same as `created`, in RFC 3339.'),
      lifecycle: literal('active'),
      capabilities: nothing,
      line: nothing,
      max_input_tokens: nothing,
      max_tokens: nothing,
      deprecated_at: nothing,
      retires_at: nothing,
    },
    ['id', 'object', 'created', 'owned_by', 'clusters'],
  ),
  ModelList: object(
    {
      object: literal('list'),
      data: list(ref('Model')),
      models: {
        type: 'array',
        maxItems: 0,
        description: 'With the query `client_version` only: Codex expects a list of its own here.',
      },
      has_more: { type: 'boolean', description: 'With the header `anthropic-version` only: always false.' },
      first_id: { type: ['string', 'null'], description: 'With the header `anthropic-version` only.' },
      last_id: { type: ['string', 'null'], description: 'With the header `anthropic-version` only.' },
    },
    ['object', 'data'],
  ),
};

export const modelExamples: Schema = {
  one: {
    summary: 'One model on one cluster',
    value: {
      object: 'list',
      data: [
        {
          id: 'tiny',
          selector: 'mdl_9f86d081884c7d65',
          display_name: 'tiny',
          canonical_name: 'tiny',
          object: 'model',
          created: 1790000000,
          owned_by: 'ferry',
          loaded: true,
          clusters: [{ cluster_id: 'cl_4kX9mPq2Rt7v', loaded: true }],
        },
      ],
    },
  },
};
