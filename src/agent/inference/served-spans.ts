import { genAiAttributes, operationOf, spanNameOf, usageAttributes } from '../../kernel/tracing/gen-ai.js';
import { seconds, Span, type Attributes } from '../../kernel/tracing/span.js';
import { validTraceHeaders, type TraceHeaders } from '../../kernel/tracing/trace-headers.js';
import type { Tracer } from '../../kernel/tracing/tracer.js';
import type { EndMessage, OpenMessage } from '../../link/messages.js';
import type { CatalogueEntry } from '../engines/engine-catalogue.js';

/**
 * The trace of an accepted request. The relay is not trusted: what it sends becomes headers for the engine.
 * @param tracer absent: the node records nothing
 * @returns the headers for the engine, where nothing is recorded; undefined: the request is not part of a trace
 */
export function beginTrace(
  head: OpenMessage,
  entry: CatalogueEntry,
  tracer: Tracer | undefined,
): ServedSpans | TraceHeaders | undefined {
  const sent = validTraceHeaders(head.traceparent, head.tracestate);
  if (tracer === undefined) return sent;
  const name = spanNameOf(operationOf(head.dialect), head.public_model);
  const started = tracer.start(sent, { name, kind: 'server' });
  return started instanceof Span ? new ServedSpans(started, name, attributesOf(head, entry), entry) : started;
}

/** The spans of a request on this node: its stream, and the call of the engine. Names, numbers and codes, nothing of the prompt. */
export class ServedSpans {
  private call: Span | undefined;

  constructor(
    private readonly span: Span,
    private readonly name: string,
    private readonly attributes: Attributes,
    private readonly entry: CatalogueEntry,
  ) {}

  /** @returns the headers for the engine */
  engineCalled(): TraceHeaders {
    this.call = this.span.child({
      name: this.name,
      kind: this.entry.engine.inProcess === true ? 'internal' : 'client',
    });
    return this.call.headers;
  }

  firstOutput(): void {
    for (const span of [this.span, this.call]) {
      span?.event('ferry.first_output');
      if (this.attributes['gen_ai.request.stream'] === true)
        span?.set({ 'gen_ai.response.time_to_first_chunk': seconds(span.elapsedMs) });
    }
  }

  ended({ outcome, failure, usage }: EndMessage): void {
    for (const span of [this.call, this.span]) {
      span?.set({ ...this.attributes, 'ferry.outcome': outcome, ...usageAttributes(usage) });
      if (failure !== null) span?.fail(failure.code);
      span?.end();
    }
  }
}

function attributesOf(head: OpenMessage, { engine, report }: CatalogueEntry): Attributes {
  const { dialect, public_model: model, stream } = head;
  return {
    ...genAiAttributes({ dialect, provider: engine.facts().kind, model, stream }),
    // Not the engine's own name of the model, which may be a path.
    'gen_ai.response.model': report.display_name,
    'ferry.request.id': head.request_id,
    'ferry.engine.name': engine.name,
  };
}
