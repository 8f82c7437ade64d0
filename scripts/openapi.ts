/** `openapi.json`, `openapi-management.json` and the types of command line and website are generated: `npm run docs:openapi`. Tests fail when they differ. */
import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../src/relay/openapi/inference/document.js';
import { packageVersion } from '../src/relay/platform/config/relay-config.js';
import { managementDocument } from './openapi/management-document.js';
import { consoleTypes, managementTypes } from './openapi/management-types.js';
import { consoleTypesPath, managementOpenApiPath, managementTypesPath, openApiPath } from './openapi/paths.js';

/** The name and address of a relay that was configured in nothing. */
const facts = { serviceName: 'ferry', version: packageVersion(), baseUrl: 'http://127.0.0.1:8787' };

const render = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

export const renderOpenApi = (): string => render(openApiDocument(facts));

export interface ManagementOpenApi {
  readonly document: string;
  /** For the command line. */
  readonly types: string;
  readonly consoleTypes: string;
}

/** The document of `/api`, and the types that command line and website take from it. */
export async function renderManagementOpenApi(): Promise<ManagementOpenApi> {
  const document = await managementDocument(facts);
  return {
    document: render(document),
    types: await managementTypes(document),
    consoleTypes: await consoleTypes(document),
  };
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(openApiPath, renderOpenApi());
  const rendered = await renderManagementOpenApi();
  writeFileSync(managementOpenApiPath, rendered.document);
  writeFileSync(managementTypesPath, rendered.types);
  writeFileSync(consoleTypesPath, rendered.consoleTypes);
}
