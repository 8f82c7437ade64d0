import type { Schema } from './schema.js';

export interface RequestExample {
  readonly summary: string;
  readonly value: Schema;
}

/** What the OpenAPI document says about a protocol. */
export interface ProtocolDocument {
  readonly operationId: string;
  /** Name of the tag. */
  readonly tag: string;
  /** Of the tag. */
  readonly about: string;
  readonly summary: string;
  readonly description: string;
  /** Names of component schemas. */
  readonly schemas: { readonly request: string; readonly answer: string; readonly event?: string };
  readonly components: Readonly<Record<string, Schema>>;
  readonly requests: Readonly<Record<string, RequestExample>>;
  readonly answers: Readonly<Record<string, RequestExample>>;
  /** A whole stream, byte for byte. Absent, as the event: the route does not stream. */
  readonly stream?: string;
  /** The body of the example with curl. Absent: the examples in other languages are enough. */
  readonly sample?: Schema;
}
