/** Bodies of `/api`, by the names of its OpenAPI document. */
export type { Schemas } from '../../../../openapi/management.types.js';
