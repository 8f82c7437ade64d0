/** The schemas of the OpenAPI document of `/api` as TypeScript, for the command line. */
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
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

/** They say nothing about a type. */
const withoutExamples = (key: string, value: unknown): unknown => (key === 'example' ? undefined : value);
