/**
 * Fields of a request without an equivalent in chat. They never fail a request (docs/reference/api-behaviour.md#unknown-fields), but are
 * reported as dropped.
 */
import type { JsonObject } from '../../../kernel/json-object.js';

/** Limit of reported fields. */
const MAX_NAMES = 64;
/** Names of unknown fields are reported only when they look like identifiers. */
export const FIELD_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,59}$/;

/** Fields that are translated, one by one. */
const translated = [
  'model',
  'messages',
  'system',
  'max_tokens',
  'stop_sequences',
  'stream',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'output_format',
  'metadata',
  'thread',
] as const;

/** Sampling parameters with the same name and meaning in chat. */
export const forwarded = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'repetition_penalty',
  'repeat_penalty',
  'logit_bias',
  'chat_template_kwargs',
] as const;

const known: ReadonlySet<string> = new Set<string>([...translated, ...forwarded]);

export class DroppedFields {
  private readonly found = new Set<string>();

  readonly add = (path: string): void => {
    if (this.found.size < MAX_NAMES) this.found.add(path);
  };

  /** Top-level fields without an equivalent in chat. */
  addUnknown(body: JsonObject): void {
    for (const [name, value] of Object.entries(body)) {
      if (value !== null && !known.has(name) && FIELD_NAME.test(name)) this.add(name);
    }
  }

  get names(): readonly string[] {
    return [...this.found];
  }
}
