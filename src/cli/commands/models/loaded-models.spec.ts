import { describe, expect, it } from '@jest/globals';
import type { Schemas } from '../../core/api/management-api.types.js';
import { limitsOf, loadedModels } from './loaded-models.js';

const model = (id: string, loaded = true): Schemas['Model'] =>
  ({ id, selector: `mdl_${id}`, display_name: id, loaded }) as Schemas['Model'];

const node = (models: readonly Partial<Schemas['NodeModel']>[], online = true): Schemas['Node'] =>
  ({
    online,
    models: models.map((on) => ({
      state: 'loaded',
      context_length: null,
      inputs: ['text'],
      tools: null,
      embedding: false,
      ...on,
    })),
  }) as unknown as Schemas['Node'];

describe('the limits that a program is told', () => {
  it.each([
    [32_768, 8_192],
    [8_192, 2_048],
    [131_072, 32_000],
    [1, 1],
  ])(
    'the limits that a program is told of a context of %i tokens: a quarter of it for the answer, and never more than agents ask for',
    (context, output) => {
      expect(limitsOf(context)).toEqual({ contextTokens: context, outputTokens: output });
    },
  );

  it('the limits that a program is told are unknown where the engine says nothing', () => {
    expect(limitsOf(null)).toEqual({ contextTokens: null, outputTokens: null });
  });
});

describe('the loaded models', () => {
  it('the loaded models have the longest context of the computers that have them in memory now', () => {
    const nodes = [
      node([{ selector: 'mdl_a', context_length: 16_384 }]),
      node([{ selector: 'mdl_a', context_length: 65_536 }]),
      node([{ selector: 'mdl_a', context_length: 262_144, state: 'installed' }]),
      node([{ selector: 'mdl_a', context_length: 131_072 }], false),
    ];
    expect(loadedModels([model('a')], nodes)).toMatchObject([{ id: 'a', contextTokens: 65_536, outputTokens: 16_384 }]);
  });

  it('the loaded models begin with those that are of use, and leave out what is not loaded or generates no text', () => {
    const nodes = [node([{ selector: 'mdl_words', embedding: true }, { selector: 'mdl_a' }])];
    const models = [model('tiny'), model('words'), model('b', false), model('a')];
    expect(loadedModels(models, nodes).map(({ id, isTrial }) => [id, isTrial])).toEqual([
      ['a', false],
      ['tiny', true],
    ]);
  });

  it('the loaded models take images and call tools where one of the computers can', () => {
    const nodes = [
      node([{ selector: 'mdl_a', tools: false }]),
      node([{ selector: 'mdl_a', tools: true, inputs: ['text', 'image'] }]),
    ];
    expect(loadedModels([model('a')], nodes)).toMatchObject([{ images: true, tools: true }]);
    expect(loadedModels([model('a')], nodes.slice(0, 1))).toMatchObject([{ images: false, tools: false }]);
    expect(loadedModels([model('a')], [])).toMatchObject([{ images: false, tools: null, contextTokens: null }]);
  });
});
