import type { ModelList, ModelRecord } from './model-list.js';

/** A client may read members besides OpenAI's. All other clients tolerate them. */
export interface ListForm {
  /** `anthropic-version` was sent: what the official SDK's types call required, as far as it is known here. */
  readonly anthropic: boolean;
  /** `client_version` was asked with: Codex decodes the list with a required `models`, and reports an error at every start without it. */
  readonly codex: boolean;
}

export const plainForm: ListForm = { anthropic: false, codex: false };

export const formKey = ({ anthropic, codex }: ListForm): string => `${anthropic ? 'a' : ''}${codex ? 'c' : ''}`;

/** The list with the members of the form. All of it is always one page. */
export function inForm(list: ModelList, { anthropic, codex }: ListForm): object {
  const { object, data } = list;
  return {
    object,
    data: anthropic ? data.map(anthropicModel) : data,
    // An entry of Codex' own would need every field of its type.
    ...(codex && { models: [] }),
    ...(anthropic && { has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }),
  };
}

/** One record with the members of the form. */
export const recordInForm = (record: ModelRecord, { anthropic }: ListForm): object =>
  anthropic ? anthropicModel(record) : record;

const MS_PER_SECOND = 1_000;

const anthropicModel = (model: Pick<ModelRecord, keyof ModelRecord>): object => ({
  ...model,
  type: 'model',
  created_at: new Date(model.created * MS_PER_SECOND).toISOString(),
  lifecycle: 'active',
  capabilities: null,
  line: null,
  max_input_tokens: null,
  max_tokens: null,
  deprecated_at: null,
  retires_at: null,
});
