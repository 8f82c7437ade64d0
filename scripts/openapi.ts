/** `openapi.json` and `openapi-management.json` are generated from the relay's own documents: `npm run docs:openapi`. Tests fail when they differ. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { openApiDocument } from '../src/relay/openapi/inference/document.js';
import { packageVersion } from '../src/relay/platform/config/package-version.js';
import { managementDocument } from './openapi/management-document.js';

export const openApiPath = path.resolve(import.meta.dirname, '../openapi.json');
export const managementOpenApiPath = path.resolve(import.meta.dirname, '../openapi-management.json');

/** The name and address of a relay that was configured in nothing. */
const facts = { serviceName: 'ferry', version: packageVersion(), baseUrl: 'http://127.0.0.1:8787' };

const render = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

export const renderOpenApi = (): string => render(openApiDocument(facts));
export const renderManagementOpenApi = async (): Promise<string> => render(await managementDocument(facts));

if (process.argv[1] === import.meta.filename) {
  writeFileSync(openApiPath, renderOpenApi());
  writeFileSync(managementOpenApiPath, await renderManagementOpenApi());
}
