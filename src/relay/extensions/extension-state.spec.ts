import { describe, expect, it } from '@jest/globals';
import type { AccountId } from '../../kernel/ids.js';
import { ExtensionState, type ExtensionChoices } from './extension-state.js';

const ann = 'acc_ann' as AccountId;
const bob = 'acc_bob' as AccountId;

const stateOf = (extensions: string): ExtensionState => new ExtensionState({ settings: { extensions } } as never);

const chosen = (of: Partial<Record<'ann' | 'bob', ExtensionChoices>>, accounts = 2) => ({
  accounts,
  choices: new Map(Object.entries(of).map(([name, choices]) => [name === 'ann' ? ann : bob, choices])),
});

describe('the state of extensions', () => {
  it('has everything off by default, for known and unknown callers', () => {
    const state = stateOf('');
    expect([state.isOn('json-errors', ann), state.isOn('json-errors', undefined)]).toEqual([false, false]);
    expect(state.isServed('count-tokens')).toBe(false);
  });

  it('is on for the account that chose it, and served for the relay', () => {
    const state = stateOf('');
    state.apply(chosen({ ann: { 'count-tokens': true } }));
    expect([state.isOn('count-tokens', ann), state.isOn('count-tokens', bob)]).toEqual([true, false]);
    expect(state.isServed('count-tokens')).toBe(true);
  });

  it('lets the choice of an account win over the setting, both ways', () => {
    const state = stateOf('x-api-key, json-errors');
    state.apply(chosen({ ann: { 'json-errors': false }, bob: { 'model-by-id': true } }));
    expect([state.isOn('json-errors', ann), state.isOn('json-errors', bob)]).toEqual([false, true]);
    expect([state.isOn('model-by-id', ann), state.isOn('model-by-id', bob)]).toEqual([false, true]);
    expect([state.isDefault('x-api-key'), state.isDefault('model-by-id')]).toEqual([true, false]);
  });

  it.each<[string, string, ReturnType<typeof chosen>, boolean]>([
    ['the setting has it and nobody has switched it off', 'json-errors', chosen({}), true],
    [
      'the setting has it and one account has switched it off',
      'json-errors',
      chosen({ ann: { 'json-errors': false } }),
      false,
    ],
    [
      'every account has switched it on',
      '',
      chosen({ ann: { 'json-errors': true }, bob: { 'json-errors': true } }),
      true,
    ],
    ['the only account has switched it on', '', chosen({ ann: { 'json-errors': true } }, 1), true],
    ['one of two accounts has switched it on', '', chosen({ ann: { 'json-errors': true } }), false],
    ['the relay has no account yet', '', chosen({}, 0), false],
  ])('for a caller without an account, %s', (_name, setting, choices, isOn) => {
    const state = stateOf(setting);
    state.apply(choices);
    expect(state.isOn('json-errors', undefined)).toBe(isOn);
  });
});
