import type { ManagementRoom } from '../management-route.js';

export const selfRoom: ManagementRoom = {
  tag: 'Description',
  about: 'This document.',
  routes: [
    {
      method: 'get',
      path: '/api/openapi.json',
      operationId: 'describe',
      summary: 'Get this document',
      role: 'public',
      answer: {
        status: 200,
        about: 'OpenAPI 3.1, with the name and address of this relay.',
        schema: 'Description',
        example: { openapi: '3.1.0' },
      },
    },
  ],
  schemas: { Description: { type: 'object', description: 'An OpenAPI document.' } },
};
