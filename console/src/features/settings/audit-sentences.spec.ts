import { describe, expect, it } from '@jest/globals';
import { auditPhrase } from './audit-sentences';

describe('the sentence of a change', () => {
  it('says what was asked of a model', () => {
    const load = { kind: 'load', model: 'qwen3:8b', node: 'studio' };
    expect(auditPhrase('operation.create', load)).toEqual({ text: 'asked to load', namesObject: true });
    expect(auditPhrase('operation.cancel', load)?.text).toBe('cancelled the request to load');
    expect(auditPhrase('operation.dismiss', load)?.text).toBe('dismissed the failure to load');
    expect(auditPhrase('operation.create', { kind: 'toString' })?.text).toBe('asked to change');
  });

  it('names what was changed, but no link or sign-in', () => {
    expect(auditPhrase('key.create', {})).toEqual({ text: 'created the key', namesObject: true });
    expect(auditPhrase('session.create', {})).toEqual({ text: 'signed in', namesObject: false });
  });

  it('is none for what a newer relay records', () => {
    expect(auditPhrase('planet.create', {})).toBeUndefined();
  });
});
