/** A small OpenTelemetry collector: takes traces by OTLP/HTTP in JSON, as the specification has it, and decodes them. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { eventually } from '../clock/eventually.js';

const anyValue = z.union([
  z.strictObject({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.strictObject({ boolValue: z.boolean() }).transform(({ boolValue }) => boolValue),
  // 64-bit integers are texts in the JSON of protobuf.
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }).transform(({ intValue }) => Number(intValue)),
  z.strictObject({ doubleValue: z.number() }).transform(({ doubleValue }) => ({ decimal: doubleValue })),
]);
const attributes = z
  .array(z.strictObject({ key: z.string().min(1), value: anyValue }))
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value])));
const id = (digits: number) => z.string().regex(new RegExp(`^(?!0+$)[0-9a-f]{${digits}}$`));
const nanoseconds = z
  .string()
  .regex(/^\d{19}$/)
  .transform(BigInt);
const kinds = { 1: 'internal', 2: 'server', 3: 'client' } as const;

const span = z.strictObject({
  traceId: id(32),
  spanId: id(16),
  parentSpanId: id(16).optional(),
  traceState: z.string().optional(),
  flags: z.number().int().min(0).max(3),
  name: z.string().min(1),
  kind: z.union([z.literal(1), z.literal(2), z.literal(3)]).transform((kind) => kinds[kind]),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
  events: z.array(z.strictObject({ timeUnixNano: nanoseconds, name: z.string(), attributes })),
  status: z.strictObject({ code: z.literal(2).optional() }),
});
const request = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(span),
        }),
      ),
    }),
  ),
});

export type ReceivedSpan = z.output<typeof span> & { readonly service: unknown };

export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** Bodies of all exports, as they came. */
  readonly bodies: string[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  /** Of its responses. */
  status = 200;
  /** Requests get no response. */
  hangs = false;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(port = 0): Promise<OtlpReceiver> {
    const server = createServer();
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const receiver = new OtlpReceiver(server, (server.address() as AddressInfo).port);
    server.on('request', (message: IncomingMessage, response) => {
      void receiver.receive(message).then((status) => {
        if (!receiver.hangs) response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
      });
    });
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  of(traceId: string): ReceivedSpan[] {
    return this.spans.filter((each) => each.traceId === traceId);
  }

  /** The spans of a trace, once there are as many. */
  trace(traceId: string, count: number): Promise<ReceivedSpan[]> {
    return eventually(`${count} spans of the trace have arrived`, () => {
      const found = this.of(traceId);
      return found.length >= count && found;
    });
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async receive(message: IncomingMessage): Promise<number> {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    this.headers.push(message.headers);
    this.bodies.push(text);
    const isExport = message.method === 'POST' && message.url === '/v1/traces';
    if (!isExport || message.headers['content-type'] !== 'application/json') return 404;
    if (this.status !== 200 || this.hangs) return this.status;
    const read = request.safeParse(JSON.parse(text));
    if (!read.success) return 400;
    for (const { resource, scopeSpans } of read.data.resourceSpans) {
      const service = resource.attributes['service.name'];
      for (const { spans } of scopeSpans) this.spans.push(...spans.map((each) => ({ ...each, service })));
    }
    return 200;
  }
}
