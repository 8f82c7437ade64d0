import { describe, expect, it } from '@jest/globals';
import { changeOf, renderChange } from '../program-file.js';
import { freeName } from '../../../core/api/program-key.js';
import { editEnvFile } from './env-edit.js';
import { editJson } from './json-edit.js';
import { editToml } from './toml-edit.js';
import { editYaml } from './yaml-edit.js';

const toml = {
  top: {},
  table: ['model_providers', 'ferry'],
  values: { name: 'Ferry', base_url: 'http://127.0.0.1:8787/v1' },
  removed: ['env_key'],
} as const;

describe('a TOML file', () => {
  it('gets the table at its end, and keeps comments and order', () => {
    const before = '# mine\nmodel = "gpt-5" # yes\n\n[tools]\nweb = true\n';
    expect(editToml(before, toml, 'f')).toBe(
      `${before}\n[model_providers.ferry]\nname = "Ferry"\nbase_url = "http://127.0.0.1:8787/v1"\n`,
    );
  });

  it('a TOML file has the table changed in place, and keeps its other keys and the tables after it', () => {
    const before =
      '[model_providers.ferry] # ours\nenv_key = "X"\nbase_url = "old"\nrequest_max_retries = 2\n\n[tools]\nweb = true\n';
    expect(editToml(before, toml, 'f')).toBe(
      '[model_providers.ferry] # ours\nname = "Ferry"\nbase_url = "http://127.0.0.1:8787/v1"\nrequest_max_retries = 2\n\n[tools]\nweb = true\n',
    );
  });

  it('gets keys above the first table, which replace keys of the same name', () => {
    const change = { ...toml, top: { model: 'tiny', model_provider: 'ferry' } };
    const after = editToml('model = "gpt-5"\n\n[tools]\nmodel = "other"\n', change, 'f');
    expect(after).toMatch(/^model_provider = "ferry"\nmodel = "tiny"\n\n\[tools\]\nmodel = "other"\n/);
  });

  it('a TOML file is unchanged when the edit is repeated', () => {
    const once = editToml('', toml, 'f');
    expect(editToml(once, toml, 'f')).toBe(once);
  });

  it.each([
    ['model = "a\n', 'not valid TOML'],
    ['model_providers = { ferry = { name = "x" } }\n', 'cannot be changed in place'],
    ['[model_providers.ferry]\nname = """\n[tools]\n"""\n', 'cannot be changed in place'],
  ])('a TOML file is refused when it is %j', (before, reason) => {
    expect(() => editToml(before, toml, 'f')).toThrow(reason);
  });
});

describe('a JSON file', () => {
  const values = [{ path: ['env', 'A'], value: '1' }];

  it('keeps comments, order, other values and its indentation', () => {
    const before = '{\n    // mine\n    "env": {\n        "B": "2"\n    },\n    "z": [1, 2]\n}\n';
    expect(editJson(before, values, 'f')).toBe(
      '{\n    // mine\n    "env": {\n        "B": "2",\n        "A": "1"\n    },\n    "z": [1, 2]\n}\n',
    );
  });

  it('loses a value that is undefined, and nothing else', () => {
    const removal = [{ path: ['env', 'A'], value: undefined }];
    expect(editJson('{\n  "env": {\n    "A": "1",\n    "B": "2"\n  }\n}\n', removal, 'f')).toBe(
      '{\n  "env": {\n    "B": "2"\n  }\n}\n',
    );
    expect(editJson('{ "z": 1 }', removal, 'f')).toBe('{ "z": 1 }');
  });

  it('a JSON file is created when it does not exist', () => {
    expect(JSON.parse(editJson('', values, 'f'))).toEqual({ env: { A: '1' } });
  });

  it.each([
    ['{ "env": ', 'not valid JSON'],
    ['[]', 'no JSON object'],
    ['{ "env": "text" }', '"env" is no object'],
  ])('a JSON file is refused when it is %j', (before, reason) => {
    expect(() => editJson(before, values, 'f')).toThrow(reason);
  });
});

describe('a YAML file', () => {
  const entry = {
    list: 'models',
    by: 'name',
    entry: { name: 'tiny (Ferry)', apiBase: 'x' },
    defaults: { schema: 'v1' },
  };

  it('gets the entry at the end of its list, and keeps comments', () => {
    const before = '# mine\nname: Me\nmodels:\n  - name: other # yes\n    apiBase: y\nschema: v1\n';
    expect(editYaml(before, entry, 'f')).toBe(
      '# mine\nname: Me\nmodels:\n  - name: other # yes\n    apiBase: y\n  - name: tiny (Ferry)\n    apiBase: x\nschema: v1\n',
    );
  });

  it('a YAML file has the entry of the same name changed, and keeps its other keys', () => {
    const before = 'schema: v1\nmodels:\n- name: tiny (Ferry)\n  apiBase: old\n  roles: [chat]\n';
    expect(editYaml(before, entry, 'f')).toBe(before.replace('old', 'x').replace('[chat]', '[ chat ]'));
  });

  it('keeps options of the person within an entry, and loses keys that are not known any more', () => {
    const options = { ...entry, entry: { name: 'tiny (Ferry)', limits: { window: 2 }, apiBase: undefined } };
    const before = 'schema: v1\nmodels:\n- name: tiny (Ferry)\n  apiBase: old\n  limits:\n    window: 1\n    mine: 3\n';
    expect(editYaml(before, options, 'f')).toBe(
      before.replace('  apiBase: old\n', '').replace('window: 1', 'window: 2'),
    );
  });

  it.each([
    ['models: [', 'not valid YAML'],
    ['models: text\n', '"models" is no list'],
    ['- a\n', 'no mapping'],
  ])('a YAML file is refused when it is %j', (before, reason) => {
    expect(() => editYaml(before, entry, 'f')).toThrow(reason);
  });
});

it('sets variables in an environment file, and keeps its other lines', () => {
  expect(editEnvFile('# mine\nA=old\nB=2\n', { A: '1', C: '3' })).toBe('# mine\nA=1\nB=2\nC=3\n');
  expect(editEnvFile('A=1\nB=2\n', { A: undefined, C: undefined })).toBe('B=2\n');
});

it('shows changed lines with two lines of context, indented, with keys shortened', () => {
  expect(changeOf('a\nb\nc\nd\ne\n', 'a\nb\nc\nd\nx\n')).toEqual([' c', ' d', '-e', '+x']);
  expect(changeOf('a\n1\n2\n3\n4\n5\nb\n', 'x\n1\n2\n3\n4\n5\ny\n')).toContain(' …');
  expect(changeOf('a\nb\n', 'a\nb\n')).toEqual([]);
  expect(renderChange('+  "key": "sk-ferry-abcdefgh"', false)).toBe('+   "key": "sk-ferry-abcd…"');
  expect(renderChange('+  "key": "sk-ferry-YOUR-KEY"', false)).toContain('sk-ferry-YOUR-KEY');
  // What stood there before, and in the lines around it, may be a key of another service.
  for (const key of ['sk-ant-api03-abcdefgh1234', 'sk-proj-abcdefgh1234', 'sk-abcdefghijklmnop', 'hf_abcdefghijklmnop'])
    expect(renderChange(`-  "OTHER_KEY": "${key}"`, false)).toMatch(/^- {3}"OTHER_KEY": "\S{7,12}…"$/);
});

it('numbers the key of a second computer', () => {
  expect([freeName('codex', new Set()), freeName('codex', new Set(['codex', 'codex-2']))]).toEqual([
    'codex',
    'codex-3',
  ]);
});
