import type { ModelSelector } from '../../src/kernel/ids.js';
import type { ReportedModel } from '../../src/relay/nodes/registry/online-node.js';

const SIZE_BYTES = 4_500_000_000;

/** A chat model that is ready, as the relay knows it from a report. @param contextTokens null: not reported */
export const loadedModel = (name: string, selector: ModelSelector, contextTokens: number | null): ReportedModel => ({
  key: `engine/${name}`,
  engine: 'engine',
  engine_model: name,
  display_name: name,
  canonical_name: name,
  digest: null,
  quantization: null,
  size_bytes: SIZE_BYTES,
  context_length: contextTokens,
  state: 'loaded',
  dialects: ['chat'],
  inputs: ['text'],
  tools: true,
  reasoning: null,
  embedding: false,
  selector,
});
