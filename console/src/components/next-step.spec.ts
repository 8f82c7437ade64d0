import { describe, expect, it } from '@jest/globals';
import { errorCatalogue } from '../../../src/kernel/errors/error-catalogue.js';
import { nextStepOf } from './next-step';

const request = {
  code: null,
  message: null,
  node_id: 'nd_1',
  node_name: 'studio',
  model_name: 'Qwen3 8B',
  requested_model: 'qwen3:8b',
  key_id: 'key_1',
  key_name: 'codex',
};

const stepOf = (code: string, more: Partial<Parameters<typeof nextStepOf>[0]> = {}) =>
  nextStepOf({ ...request, code, ...more });

describe('what to do next', () => {
  it('is nothing where nothing failed, or a newer relay has another code', () => {
    expect(nextStepOf(request)).toBeUndefined();
    expect(stepOf('constructor')).toBeUndefined();
  });

  it('is memory where the engine says so, and its log elsewhere', () => {
    const place = { kind: 'computer', nodeId: 'nd_1', name: 'studio' };
    for (const message of ['CUDA error: out of memory', 'model requires more system memory than is available'])
      expect(stepOf('engine_error', { message })).toMatchObject({
        advice: expect.stringContaining('On studio, unload a model'),
        place,
      });
    const [cpuAdvice, advice] = [undefined, true].map(
      (takesContext) =>
        stepOf('engine_error', { message: 'CUDA error: out of memory', ...(takesContext && { takesContext }) })?.advice,
    );
    expect(cpuAdvice).toBe('On studio, unload a model that is not needed.');
    expect(advice).toMatch(/, or load this one with less context\.$/);
    expect(stepOf('engine_error', { message: 'segmentation fault' })).toMatchObject({ command: 'logs' });
  });

  it('leads to no computer and no key that is gone', () => {
    expect(stepOf('node_disconnected', { node_name: null })?.place).toBeUndefined();
    expect(stepOf('rate_limit_exceeded', { key_name: null })?.place).toBeUndefined();
    expect(stepOf('rate_limit_exceeded', { key_id: 'usr_1' })?.place).toBeUndefined();
  });

  it('leads to the model, the key, or a new computer', () => {
    expect(stepOf('context_length_exceeded')?.place).toEqual({ kind: 'model', name: 'Qwen3 8B' });
    expect(stepOf('model_not_found', { model_name: null })?.place).toEqual({ kind: 'models' });
    expect(stepOf('rate_limit_exceeded')?.place).toEqual({ kind: 'key', keyId: 'key_1' });
    expect(stepOf('capacity')?.place).toEqual({ kind: 'add-computer' });
  });

  it('is known for every code that a request to a model can end with', () => {
    const never = ['missing_or_malformed_credential', 'invalid_credential', 'route_not_found'];
    const ofModels = Object.entries(errorCatalogue)
      .filter(([, { meaning }]) => !/Management API only|management route/.test(meaning))
      .map(([code]) => code)
      .filter((code) => !never.includes(code));
    expect(ofModels.filter((code) => stepOf(code) === undefined)).toEqual([]);
  });
});
