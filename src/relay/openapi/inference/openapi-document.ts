import type { Schema } from '../../../dialects/schema.js';

/** What the parts of the document read of it. */
export interface OpenApiDocument extends Schema {
  readonly info: Schema & { readonly description: string };
  readonly paths: Readonly<Record<string, Schema>>;
  readonly components: Schema & { readonly securitySchemes: Schema };
}
