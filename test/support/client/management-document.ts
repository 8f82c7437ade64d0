/** The committed OpenAPI document of `/api`, with its shared parameters and responses in every operation that has them. */
import { readFileSync } from 'node:fs';
import { managementOpenApiPath } from '../../../scripts/openapi/paths.js';

type Content = Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>;

export interface DocumentedOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  readonly 'x-required-role': string;
  readonly parameters?: readonly object[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface ManagementDocument {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: Readonly<Record<'schemas' | 'parameters' | 'responses', Readonly<Record<string, object>>>>;
}

export function readManagementDocument(): ManagementDocument {
  const { paths, ...document } = JSON.parse(readFileSync(managementOpenApiPath, 'utf8')) as ManagementDocument;
  const { parameters, responses } = document.components;
  const shared = new Map<string, object>([
    ...Object.entries(parameters).map(([name, part]) => [`#/components/parameters/${name}`, part] as const),
    ...Object.entries(responses).map(([name, part]) => [`#/components/responses/${name}`, part] as const),
  ]);
  const replaceShared = (_key: string, value: unknown): unknown =>
    shared.get((value as Reference | null)?.$ref ?? '') ?? value;
  return { ...document, paths: JSON.parse(JSON.stringify(paths), replaceShared) as ManagementDocument['paths'] };
}

interface Reference {
  readonly $ref?: string;
}

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
