/** The documents in `openapi` are generated: `npm run docs:openapi`. Tests fail when they differ. */
import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../src/relay/openapi/inference/document.js';
import { packageVersion } from '../src/relay/platform/config/relay-config.js';
import { managementDocument } from './openapi/management-document.js';
import { managementOpenApiPath, openApiPath } from './openapi/paths.js';

/** The name and address of a relay that was configured in nothing. */
const facts = { serviceName: 'ferry', version: packageVersion(), baseUrl: 'http://127.0.0.1:8787' };

const render = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

export const renderOpenApi = async (): Promise<string> => render(await openApiDocument(facts));

/** The document of `/api`. */
export const renderManagementOpenApi = async (): Promise<string> => render(await managementDocument(facts));

if (process.argv[1] === import.meta.filename) {
  writeFileSync(openApiPath, await renderOpenApi());
  writeFileSync(managementOpenApiPath, await renderManagementOpenApi());
}
