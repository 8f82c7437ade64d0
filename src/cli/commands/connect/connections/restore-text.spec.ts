import { describe, expect, it } from '@jest/globals';
import { editJson } from '../edits/json-edit.js';
import { combinedChange, restoredText } from './restore-text.js';

describe('a file from before ferry connect', () => {
  it('a file from before ferry connect is restored byte for byte while nothing else has changed it', () => {
    const before = '{\n    // mine\n  "a" : 1 }\n';
    const after = editJson(before, [{ path: ['env', 'KEY'], value: 'x' }], 'f.json');
    expect(restoredText(after, { path: 'f.json', before, after })).toBe(before);
    expect(restoredText('x\n', { path: 'f.toml', before: null, after: 'x\n' })).toBeNull();
  });

  it('keeps what a program or a person has written to a JSON file since, however it was laid out anew', () => {
    const before = '{"env":{"A":"1","MODEL":"gpt"},"model":"opus"}';
    const after = '{"env":{"A":"1","MODEL":"qwen3","KEY":"x"},"model":"opus","provider":{"ferry":{"url":"u"}}}';
    const since = JSON.stringify(
      { env: { A: '2', MODEL: 'qwen3', KEY: 'x', NEW: '3' }, model: 'opus', provider: { ferry: { url: 'u' } }, z: 1 },
      null,
      4,
    );
    const restored = restoredText(since, { path: 'f.json', before, after });
    expect(JSON.parse(restored ?? '')).toEqual({ env: { A: '2', MODEL: 'gpt', NEW: '3' }, model: 'opus', z: 1 });
  });

  it('takes values back that the person has changed within what was written', () => {
    const change = { path: 'f.json', before: '{"b":1}', after: '{"b":1,"ferry":{"models":[{"name":"a"}]}}' };
    expect(JSON.parse(restoredText('{"b":1,"ferry":{"models":[{"name":"mine"}]}}', change) ?? '')).toEqual({ b: 1 });
  });

  it('a file from before ferry connect is removed when nothing is left in a file that did not exist', () => {
    const after = '{"providers":{"ferry":{"url":"u"}}}';
    expect(
      restoredText('{ "providers": {"ferry": {"url": "u"}} }', { path: 'f.json', before: null, after }),
    ).toBeNull();
    const left = restoredText('{"providers":{"ferry":{"url":"u"},"x":1}}', { path: 'f.json', before: null, after });
    expect(JSON.parse(left ?? '')).toEqual({ providers: { x: 1 } });
  });

  it('keeps lines of another format that were added since, before and after', () => {
    const change = { path: 'f.toml', before: 'model = "gpt"\n', after: 'model = "gpt"\n\n[p.ferry]\nurl = "u"\n' };
    const current = '# new\nmodel = "gpt-6"\n\n[p.ferry]\nurl = "u"\n\n[tools]\nweb = true\n';
    expect(restoredText(current, change)).toBe('# new\nmodel = "gpt-6"\n\n[tools]\nweb = true\n');
  });

  it('a file from before ferry connect is not guessed when the changed lines have been edited', () => {
    const change = { path: 'f.toml', before: '', after: '[p.ferry]\nurl = "u"\n' };
    expect(restoredText('[p.ferry]\nurl = "mine"\n', change)).toBeUndefined();
  });
});

describe('a file that is changed twice', () => {
  it('goes back to before the first change', () => {
    const first = { path: 'f.json', before: '{"a":1}', after: '{"a":1,"context":32768}' };
    expect(combinedChange(first, first.after, '{"a":1,"context":16384}')).toEqual({
      before: '{"a":1}',
      after: '{"a":1,"context":16384}',
    });
  });

  it('keeps what was written to it between the changes', () => {
    const first = { path: 'f.json', before: null, after: '{"context":32768}' };
    const { before } = combinedChange(first, '{"context":32768,"b":2}', '{"context":16384,"b":2}');
    expect(JSON.parse(before ?? '')).toEqual({ b: 2 });
  });
});
