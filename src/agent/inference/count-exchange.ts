/** Counts the tokens of a request, which is translated as if it were to be answered (docs/reference/extensions.md#count-tokens). */
import { stringifyExact } from '../../kernel/exact-json.js';
import type { JsonObject } from '../../kernel/json-object.js';
import type { EngineObject, UsageReport } from '../engines/engine.js';
import { engineError } from '../engines/failures/failures.js';
import { RequestFields } from '../engines/http/request-fields.js';
import type { DialectService, Exchange } from './exchange.js';
import { MessagesExchange } from './messages-exchange.js';
import { ResponsesExchange } from './responses-exchange.js';

/** Nothing is computed by the model. */
const NOTHING_USED: UsageReport = {
  input_tokens: 0,
  output_tokens: 0,
  cached_tokens: null,
  reasoning_tokens: null,
  source: 'counted',
};

class CountExchange implements Exchange {
  readonly usage = NOTHING_USED;
  readonly body: Buffer;
  readonly dropped: readonly string[];
  readonly changed?: readonly string[];
  readonly withoutLaterSystem: (() => Buffer) | undefined;

  /** @param counted the exchange of the request as if it were answered */
  constructor(
    private readonly counted: Exchange,
    private readonly resultOf: (tokens: number) => JsonObject,
  ) {
    this.body = counted.body;
    this.dropped = counted.dropped;
    if (counted.changed !== undefined) this.changed = counted.changed;
    this.withoutLaterSystem = counted.withoutLaterSystem;
  }

  events(): undefined {
    return undefined;
  }

  lastEvents(): Buffer {
    return Buffer.alloc(0);
  }

  whole({ input_tokens: tokens }: EngineObject): Buffer {
    if (!Number.isSafeInteger(tokens) || Number(tokens) < 0)
      throw engineError('The engine returned no count of tokens.');
    return Buffer.from(stringifyExact(this.resultOf(Number(tokens))));
  }

  over(): void {
    this.counted.over?.();
  }
}

const FIELDS: ReadonlySet<string> = new Set(['max_tokens', 'stream']);

/** What a request to be answered has, and one to be counted does not need. */
function asAnswered(body: Buffer, set: Readonly<Record<string, unknown>>): Buffer {
  const fields = new RequestFields(body, FIELDS);
  for (const [name, value] of Object.entries(set)) fields.set(name, value);
  return fields.changedBody();
}

export const countMessages: DialectService['begin'] = (body, head, model, context) =>
  new CountExchange(
    new MessagesExchange(asAnswered(body, { max_tokens: 1, stream: false }), head, model, context),
    (tokens) => ({ input_tokens: tokens }),
  );

export const countResponses: DialectService['begin'] = (body, head, model, context) =>
  new CountExchange(new ResponsesExchange(asAnswered(body, { stream: false }), head, model, context), (tokens) => ({
    object: 'response.input_tokens',
    input_tokens: tokens,
  }));
