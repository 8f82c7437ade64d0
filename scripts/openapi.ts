/** `openapi.json` is generated from the relay's own document: `npm run docs:openapi`. A test fails when the two differ. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { openApiDocument } from '../src/relay/documentation/openapi/document.js';
import { packageVersion } from '../src/relay/platform/config/package-version.js';

export const openApiPath = path.resolve(import.meta.dirname, '../openapi.json');

/** With the name and address of a relay that was configured in nothing. */
export const committedDocument = () =>
  openApiDocument({ serviceName: 'ferry', version: packageVersion(), baseUrl: 'http://127.0.0.1:8787' });

export const renderOpenApi = (): string => `${JSON.stringify(committedDocument(), null, 2)}\n`;

if (process.argv[1] === import.meta.filename) writeFileSync(openApiPath, renderOpenApi());
