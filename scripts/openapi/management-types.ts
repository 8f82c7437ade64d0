/** The OpenAPI document of `/api` as TypeScript: its schemas for the command line, with its paths for the website. */
import openapiTS, { astToString, type OpenAPI3, type OperationObject, type ResponseObject } from 'openapi-typescript';
import ts from 'typescript';

const HEADER = `/** Generated from openapi-management.json by \`npm run docs:openapi\`. Do not edit. */\n\n`;
const FOOTER = `\n/** Bodies of \`/api\` by the names of the document. */\nexport type Schemas = components['schemas'];\n`;

/** @param document as `managementDocument` makes it */
export async function managementTypes(document: object): Promise<string> {
  const { openapi, info, components } = JSON.parse(JSON.stringify(document), withoutExamples) as OpenAPI3;
  const bodies = { openapi, info, paths: {}, components: { schemas: components?.schemas ?? {} } };
  const nodes = await openapiTS(bodies, { immutable: true });
  const schemas = nodes.filter((node) => ts.isInterfaceDeclaration(node) && node.name.text === 'components');
  return `${HEADER}${astToString(schemas)}${FOOTER}`;
}

/** Paths, bodies and successful answers, as the website's client takes them. @param document as `managementDocument` makes it */
export async function consoleTypes(document: object): Promise<string> {
  const whole = JSON.parse(JSON.stringify(document), withoutExamples) as OpenAPI3;
  for (const operations of Object.values(whole.paths ?? {})) {
    for (const operation of Object.values(operations) as OperationObject[]) keepWhatTheClientReads(operation);
  }
  // Mutable: the types of openapi-fetch do not understand readonly arrays.
  const schemas = { schemas: whole.components?.schemas ?? {}, parameters: whole.components?.parameters ?? {} };
  const nodes = await openapiTS({ ...whole, components: schemas });
  return `${HEADER}${astToString(nodes.filter(isNeeded))}${FOOTER}`;
}

/** Failures are one class of the website, and their bodies, headers and prose would be nine tenths of the file. */
function keepWhatTheClientReads(operation: OperationObject): void {
  delete operation.description;
  delete operation.summary;
  const successes = Object.entries(operation.responses ?? {}).filter(([status]) => Number(status) < 400);
  operation.responses = Object.fromEntries(successes);
  for (const [, response] of successes) delete (response as ResponseObject).headers;
}

/** Empty declarations of kinds that the document does not have are left out. */
const isNeeded = (node: ts.Node): boolean =>
  ts.isInterfaceDeclaration(node) && ['paths', 'components', 'operations'].includes(node.name.text);

/** They say nothing about a type. */
const withoutExamples = (key: string, value: unknown): unknown => (key === 'example' ? undefined : value);
