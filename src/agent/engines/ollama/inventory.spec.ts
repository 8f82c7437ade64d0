import { describe, expect, it } from '@jest/globals';
import type { ModelState } from '../../../kernel/dialect.js';
import {
  describeOllamaModels,
  listedModels,
  natureShown,
  readResidentModels,
  type InventoryParts,
} from './inventory.js';

/** Documented, not recorded: an entry of `/api/tags`. */
const tag = (name: string, entry: object = {}): Record<string, unknown> => ({
  name,
  model: name,
  modified_at: '2026-01-01T00:00:00Z',
  size: 5_200_000_000,
  digest: `digest of ${name}`,
  details: { format: 'gguf', family: 'qwen3', parameter_size: '8.2B', quantization_level: 'Q4_K_M' },
  capabilities: ['completion'],
  ...entry,
});
const describeAll = (tags: unknown, parts: Partial<Omit<InventoryParts, 'tags'>> = {}) =>
  describeOllamaModels({ tags, resident: [], shown: () => undefined, transition: () => undefined, ...parts });
const one = (entry: object, parts: Partial<Omit<InventoryParts, 'tags'>> = {}) =>
  describeAll([tag('qwen3:8b', entry)], parts)?.[0];
const resident = (...models: object[]) => readResidentModels({ models });

describe('a model in the list', () => {
  it('a model in the list has a name, a digest, a quantization and a size', () => {
    expect(describeAll([tag('Qwen3:latest', { digest: 'sha256:abc' })])).toEqual([
      {
        engine_model: 'Qwen3:latest',
        display_name: 'Qwen3:latest',
        canonical_name: 'qwen3',
        digest: 'abc',
        quantization: 'Q4_K_M',
        size_bytes: 5_200_000_000,
        context_length: null,
        state: 'installed',
        dialects: ['chat', 'completions'],
        inputs: ['text'],
        tools: null,
        reasoning: null,
        embedding: false,
      },
    ]);
  });

  it('a model in the list is left out when it is a cloud model', () => {
    const tags = [tag('gpt-oss:120b-cloud'), tag('mine', { remote_host: 'https://ollama.com' }), tag('here:1b')];
    expect(describeAll(tags)?.map(({ engine_model: name }) => name)).toEqual(['here:1b']);
    expect(listedModels(tags).map(({ name }) => name)).toEqual(['here:1b']);
  });

  it('a model in the list is not read from a malformed list', () => {
    expect(describeAll(undefined)).toBeUndefined();
    expect(describeAll({})).toBeUndefined();
    expect(describeAll([null, 1, {}, { name: '' }, { name: 5 }])).toEqual([]);
  });
});

describe('model capabilities', () => {
  it.each([
    [['completion', 'tools', 'thinking'], { tools: true, reasoning: true, inputs: ['text'] }],
    [['completion', 'vision', 'audio'], { inputs: ['text', 'image', 'audio'], tools: false, reasoning: false }],
    [['embedding'], { embedding: true, dialects: [] }],
    [['completion', 'embedding'], { embedding: false, dialects: ['chat', 'completions'] }],
    [['image'], { embedding: false, dialects: [] }],
  ])('model capabilities follow %j', (capabilities, expected) => {
    const shown = () => natureShown({ capabilities });
    expect(one({ capabilities }, { shown })).toMatchObject(expected);
  });

  it('model capabilities are those of /api/show, because the list does not read the template within a GGUF', () => {
    const shown = () => natureShown({ capabilities: ['tools', 'thinking', 'completion'] });
    expect(one({ capabilities: ['completion'] }, { shown })).toMatchObject({ tools: true, reasoning: true });
    expect(one({ capabilities: ['completion'] })).toMatchObject({ tools: null, reasoning: null });
    expect(one({ capabilities: ['completion', 'tools'] })).toMatchObject({ tools: true, reasoning: null });
  });

  it.each([undefined, null, [], 'completion'])(
    'model capabilities are unknown when the list has %j',
    (capabilities) => {
      const unknown = { tools: null, reasoning: null, inputs: ['text'], dialects: ['chat', 'completions'] };
      expect(one({ capabilities })).toMatchObject(unknown);
    },
  );

  it('model capabilities are taken from the model details when the list has none', () => {
    const shown = natureShown({
      capabilities: ['completion', 'vision'],
      model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
    });
    expect(one({ capabilities: undefined }, { shown: () => shown })).toMatchObject({
      inputs: ['text', 'image'],
      context_length: 40_960,
    });
    expect(natureShown({ capabilities: 7, model_info: [], modelfile: 1, template: {} })).toEqual({
      capabilities: null,
      contextTokens: null,
      blob: null,
      knowsDeveloper: false,
    });
  });
});

describe('the file of the weights and the template', () => {
  const blob = `sha256-${'fb19'.repeat(16)}`;
  const modelfile = (template: string) =>
    `# To build a new Modelfile based on this, replace FROM with:\n# FROM otiny:latest\n\nFROM /models/blobs/${blob}\n` +
    `TEMPLATE ${template}\nPARAMETER num_thread 1\nLICENSE """for any developer"""\n`;
  const ofTheFile = "{%- if messages[0].role in ['system','developer'] %}";

  it.each([
    ['{{ .Prompt }}', ofTheFile, true],
    ['"""{{- range .Messages }}\n{{ .Role }}{{ end }}"""', ofTheFile, false],
    ['"{{ .System }}{{ .Prompt }}"', ofTheFile, false],
    ['"""{{ if eq .Role "developer" }}x{{ end }}"""', '{{ if eq .Role "developer" }}', true],
    ['{{ .Prompt }}', "{%- if messages[0].role == 'system' %}", false],
  ])(
    'the file of the weights and the template with TEMPLATE %j know the role developer: %#',
    (template, shown, knowsDeveloper) => {
      expect(natureShown({ modelfile: modelfile(template), template: shown })).toMatchObject({ blob, knowsDeveloper });
    },
  );
});

describe('a model in memory', () => {
  it.each([
    ['by its name', { name: 'qwen3:8b', digest: 'other' }],
    ['in another spelling', { name: 'Qwen3:8B' }],
    ['as the copy of it that was loaded', { name: 'mine:latest', digest: 'digest of qwen3:8b' }],
  ])('a model in memory is found %s, with its loaded context', (_, model) => {
    const state = { state: 'loaded', context_length: 4_096 };
    const details = { context_length: 40_960 };
    expect(one({ details }, { resident: resident({ ...model, context_length: 4_096 }) })).toMatchObject(state);
    expect(one({ details })).toMatchObject({ state: 'installed', context_length: 40_960 });
  });

  it('takes what Ollama says, in main memory and in that of graphics processors', () => {
    const taking = (figures: object) => one({}, { resident: resident({ name: 'qwen3:8b', ...figures }) })?.memory;
    expect(taking({ size: 6_000, size_vram: 4_000 })).toEqual({ ram_bytes: 2_000, vram_bytes: 4_000 });
    expect(taking({ size: 6_000, size_vram: 0 })).toEqual({ ram_bytes: 6_000, vram_bytes: 0 });
    expect(taking({ size_vram: 4_000 })).toBeUndefined();
    expect(one({})?.memory).toBeUndefined();
  });

  it('a model in memory is distinct from another tag of the same name', () => {
    expect(one({}, { resident: resident({ name: 'qwen3:4b', digest: 'x' }) })?.state).toBe('installed');
  });

  it.each<ModelState>(['loading', 'unloading'])('a model in memory is %s during the operation', (state) => {
    const transition = (name: string) => (name === 'qwen3:8b' ? state : undefined);
    expect(one({}, { transition, resident: resident({ name: 'qwen3:8b' }) })?.state).toBe(state);
  });

  it('a model in memory is ignored when malformed', () => {
    expect(resident(null as never, {}, { name: 5 }, [] as never)).toEqual([]);
    expect(readResidentModels({})).toEqual([]);
  });
});
