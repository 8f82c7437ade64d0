/** The generated files. */
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

export const openApiPath = path.join(root, 'openapi.json');
export const managementOpenApiPath = path.join(root, 'openapi-management.json');
export const managementTypesPath = path.join(root, 'src/cli/core/api/management-api.types.ts');
export const consoleTypesPath = path.join(root, 'console/src/api/management-api.types.ts');
