/** Checks the output of a command against its documented shape. */
import { z } from 'zod';
import { inJsonFormSchema } from '../../../scripts/openapi/json-form-schema.js';
import { jsonShapes } from '../../../src/cli/json-shapes.js';
import { DocumentedSchemas } from '../client/documented-schemas.js';
import { readManagementDocument } from '../client/management-document.js';

const schemas = new DocumentedSchemas(inJsonFormSchema(readManagementDocument()));

/** @returns one line per problem; empty when the document is valid */
export function shapeProblems(words: string, document: unknown): readonly string[] {
  const shape = jsonShapes[words]?.shape;
  if (shape === undefined) return [`ferry ${words} has no documented shape`];
  const own = 'schema' in shape ? (shape.added ?? z.unknown()) : shape;
  return [
    ...('schema' in shape ? schemas.problemsOf(schemas.ref(shape.schema), document) : []),
    ...schemas.problemsOf(inJsonFormSchema(z.toJSONSchema(own, { io: 'input' })), document),
  ];
}
