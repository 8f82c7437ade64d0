import type { ErrorCode } from '../../../kernel/errors/error-catalogue.js';
import type { Properties, Schema } from '../inference/schema.js';

/** Who may call: at least this role, or anybody. */
export type NeededRole = 'public' | 'member' | 'admin' | 'owner';

export interface ManagementAnswer {
  readonly status: 200 | 201 | 202 | 204 | 302;
  readonly about: string;
  /** Name of a component schema; absent: no body. */
  readonly schema?: string;
  readonly example?: unknown;
  /** Other media types that the route can answer in, each with a whole answer. */
  readonly alternatives?: Readonly<Record<string, string>>;
}

/** What is particular about one route of `/api`. What all have in common is added where the document is made. */
export interface ManagementRoute {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Parameters in braces. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly role: NeededRole;
  /** What is to be known about the parameters of the path. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Properties;
  /** The list comes in pages: `limit` and `cursor`. */
  readonly paged?: true;
  readonly request?: { readonly schema: string; readonly example: Schema; readonly optional?: true };
  readonly answer: ManagementAnswer;
  /** Beyond those that come with credentials, bodies, roles, rates and idempotency. */
  readonly errors?: readonly ErrorCode[];
}

/** One part of the management API: its routes, and the schemas that they use. */
export interface ManagementRoom {
  readonly tag: string;
  readonly about: string;
  readonly routes: readonly ManagementRoute[];
  readonly schemas: Properties;
}
