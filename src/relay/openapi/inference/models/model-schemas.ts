/** `GET /v1/models` (docs/reference/public-api.md#model-record, docs/reference/public-api.md#list-models). */
import { flag, integer, list, literal, object, ref, text, whole, type Schema } from '../schema.js';

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
    },
    ['id', 'object', 'created', 'owned_by', 'clusters'],
  ),
  ModelList: whole({ object: literal('list'), data: list(ref('Model')) }),
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
