import type { Program } from './program.js';

/** Cursor keeps its settings in a database of its own; a person enters them. */
export const cursor: Program = {
  title: 'Cursor',
  startsByCommand: false,
  isAgent: true,
  file: null,
  steps: ({ baseUrl, apiKey, model }) => [
    'Cursor Settings > Models > API Keys',
    `OpenAI API Key: ${apiKey}`,
    `Override OpenAI Base URL: ${baseUrl}/v1`,
    `Add Custom Model: ${model}`,
  ],
};
