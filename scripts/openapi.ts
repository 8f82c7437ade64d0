/** `openapi.json`, `openapi-management.json` and the command line's types are generated: `npm run docs:openapi`. Tests fail when they differ. */
import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../src/relay/openapi/inference/document.js';
import { packageVersion } from '../src/relay/platform/config/relay-config.js';
import { managementDocument } from './openapi/management-document.js';
import { managementTypes } from './openapi/management-types.js';
import { managementOpenApiPath, managementTypesPath, openApiPath } from './openapi/paths.js';

/** The name and address of a relay that was configured in nothing. */
const facts = { serviceName: 'ferry', version: packageVersion(), baseUrl: 'http://127.0.0.1:8787' };

const render = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

export const renderOpenApi = (): string => render(openApiDocument(facts));

/** The document of `/api`, and the types that the command line takes from it. */
export async function renderManagementOpenApi(): Promise<{ readonly document: string; readonly types: string }> {
  const document = await managementDocument(facts);
  return { document: render(document), types: await managementTypes(document) };
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(openApiPath, renderOpenApi());
  const { document, types } = await renderManagementOpenApi();
  writeFileSync(managementOpenApiPath, document);
  writeFileSync(managementTypesPath, types);
}
