import { clusterPin, inventoryResponses, type CodeSample } from '../operation.js';
import type { Schema } from '../schema.js';
import { modelExamples } from './model-schemas.js';

export const modelsOperation = (samples: readonly CodeSample[]): Schema => ({
  get: {
    operationId: 'listModels',
    tags: ['Models'],
    summary: 'List models',
    description:
      'Models that online computers of the account advertise: those that are loaded, and those that are only installed. Installed is not loaded: inference needs a model whose `loaded` is true. Fetch the list again after disconnects.',
    parameters: clusterPin,
    responses: inventoryResponses('ModelList', modelExamples),
    'x-codeSamples': samples,
  },
});
