import type { ModelReport } from '../../../src/link/messages.js';

/** A node's report of a loaded chat model. @param name also the last part of its key */
export const modelReport = (name: string, traits: Partial<ModelReport> = {}): ModelReport => ({
  key: `llamacpp/${name}`,
  engine: 'llamacpp',
  engine_model: name,
  display_name: name,
  canonical_name: name,
  digest: null,
  quantization: null,
  size_bytes: null,
  context_length: null,
  state: 'loaded',
  dialects: ['chat'],
  inputs: ['text'],
  tools: null,
  reasoning: null,
  embedding: false,
  ...traits,
});
