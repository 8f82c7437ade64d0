/** The generated files. */
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

export const openApiPath = path.join(root, 'openapi/inference.json');
export const managementOpenApiPath = path.join(root, 'openapi/management.json');
