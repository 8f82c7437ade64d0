/** Checks the output of a command against its documented shape. */
import { z } from 'zod';
import { jsonShapes } from '../../../src/cli/json-shapes.js';
import { DocumentedSchemas } from '../client/documented-schemas.js';
import { readManagementDocument } from '../client/management-document.js';

const schemas = new DocumentedSchemas(readManagementDocument());

/** @returns one line per problem; empty when the document is valid */
export function shapeProblems(words: string, document: unknown): readonly string[] {
  const shape = jsonShapes[words]?.shape;
  if (shape === undefined) return [`ferry ${words} has no documented shape`];
  const own = 'schema' in shape ? (shape.added ?? z.unknown()) : shape;
  const { error } = own.safeParse(document);
  return [
    ...('schema' in shape ? schemas.problemsOf(schemas.ref(shape.schema), document) : []),
    ...(error === undefined ? [] : [z.prettifyError(error)]),
  ];
}
