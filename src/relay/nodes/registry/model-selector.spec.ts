import { describe, expect, it } from '@jest/globals';
import { isModelSelector } from '../../../kernel/ids.js';
import { modelSelector } from './node-inventory.js';

describe('modelSelector', () => {
  // Applications have these in their configuration: a change here breaks them.
  it.each([
    [{ canonical_name: 'llama3.2:1b', digest: 'sha256:abc', quantization: 'Q4_K_M' }, 'mdl_0cc16b870d42afc1'],
    [{ canonical_name: 'llama3.2:1b', digest: null, quantization: 'Q4_K_M' }, 'mdl_b3c305ce6280b532'],
    [{ canonical_name: 'llama3.2:1b', digest: null, quantization: null }, 'mdl_b24c2518aa352bd2'],
  ])('modelSelector is the known hash of %j', (identity, expected) => {
    expect(modelSelector(identity)).toBe(expected);
  });

  it('modelSelector has the public shape', () => {
    expect(isModelSelector(modelSelector({ canonical_name: 'x', digest: null, quantization: null }))).toBe(true);
  });

  it('keeps name and build apart', () => {
    const one = modelSelector({ canonical_name: 'a', digest: 'bc', quantization: null });
    const other = modelSelector({ canonical_name: 'ab', digest: 'c', quantization: null });
    expect(one).not.toBe(other);
  });
});
