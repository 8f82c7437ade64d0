/** The committed OpenAPI document of `/api`. */
import { readFileSync } from 'node:fs';
import { managementOpenApiPath } from '../../../scripts/openapi/paths.js';

type Content = Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>;

export interface DocumentedOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  readonly 'x-required-role': string;
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface ManagementDocument {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

export const readManagementDocument = (): ManagementDocument =>
  JSON.parse(readFileSync(managementOpenApiPath, 'utf8')) as ManagementDocument;

export interface PlacedOperation {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly operation: DocumentedOperation;
}

export const managementOperations = ({ paths }: ManagementDocument): readonly PlacedOperation[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  );
