/** Routes and bodies of `/api`, from its OpenAPI document. */
export type { operations, paths, Schemas } from '../../../openapi/management.types.js';
