import { describe, expect, it } from '@jest/globals';
import { residentsIn } from './listed-residents.js';

const resident = (...models: readonly object[]): readonly string[] | 'unknown' => {
  const { isKnown, includes } = residentsIn({ data: models });
  return isKnown ? models.map((model) => String(Object.values(model)[0])).filter(includes) : 'unknown';
};

describe('the models in memory of a server of an unknown kind', () => {
  it('the models in memory of a server of an unknown kind are its only one, under all of its names', () => {
    expect(resident({ id: 'one' })).toEqual(['one']);
    expect(
      resident({ id: 'one', root: 'org/m' }, { id: 'two', root: 'org/m' }, { id: 'lora', parent: 'org/m' }),
    ).toEqual(['one', 'two', 'lora']);
    expect(resident()).toEqual([]);
  });

  it.each([
    [
      { id: 'a', status: { value: 'loaded' } },
      { id: 'b', status: { value: 'unloaded' } },
    ],
    [
      { id: 'a', state: 'loaded' },
      { id: 'b', state: 'not-loaded' },
    ],
    [
      { id: 'a', loaded: true },
      { id: 'b', loaded: false },
    ],
    [{ id: 'a', status: 'ready' }, { id: 'b' }],
  ])('the models in memory of a server of an unknown kind are those that the list names so: %j %j', (one, other) => {
    expect(resident(one, other)).toEqual(['a']);
  });

  it('the models in memory of a server of an unknown kind are none where a list of several says nothing about them', () => {
    expect(resident({ id: 'a' }, { id: 'b' })).toBe('unknown');
    expect(resident({ id: 'a', status: 'available' }, { id: 'b', status: 'available' })).toBe('unknown');
    expect(residentsIn({ data: [{ id: 'a' }, { id: 'b' }] }).includes('a')).toBe(false);
  });

  it('the models in memory of a server of an unknown kind are all of those of a LiteLLM proxy, which run elsewhere', () => {
    const entry = (id: string) => ({ id, object: 'model', created: 1_677_610_602, owned_by: 'openai' });
    expect(resident(entry('gpt-5'), entry('local'))).toEqual(['gpt-5', 'local']);
  });
});
