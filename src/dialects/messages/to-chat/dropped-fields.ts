/**
 * What of a request has no place in a chat request. Unknown fields never fail a request (docs/reference/api-behaviour.md#unknown-fields);
 * here it is told that they had no effect.
 */
import type { JsonObject } from '../../../kernel/json-object.js';

/** Enough to see what is wrong; the rest is only more of it. */
const MAX_NAMES = 64;
/** A name of the client's own choosing is repeated only when it looks like one. */
const FIELD_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,59}$/;

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
] as const;

/** Sampling controls, of this dialect or of engines: one name and one meaning on both sides. */
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

  /** Every top-level field that nothing here knows how to say in chat. */
  addUnknown(body: JsonObject): void {
    for (const [name, value] of Object.entries(body)) {
      if (value !== null && !known.has(name) && FIELD_NAME.test(name)) this.add(name);
    }
  }

  get names(): readonly string[] {
    return [...this.found];
  }
}
