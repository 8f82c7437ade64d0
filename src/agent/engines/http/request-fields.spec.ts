import { describe, expect, it } from '@jest/globals';
import { RequestFields } from './request-fields.js';
import { narrowTools } from './tool-choice.js';

const names = new Set(['tools', 'tool_choice', 'n']);
const fieldsOf = (text: string) => new RequestFields(Buffer.from(text), names);

describe('fields of a request', () => {
  it('fields of a request are read by name, the last of a repeated one, and null as absent', () => {
    const fields = fieldsOf('{"n":1,"x":{"n":5},"n":2,"tools":null}');
    expect(fields.value('n')).toBe(2);
    expect(fields.value('tools')).toBeUndefined();
    expect(fields.value('tool_choice')).toBeUndefined();
  });

  it('fields of a request are replaced wherever they are, without other changes', () => {
    const fields = fieldsOf('{ "n":1, "seed":18446744073709551615, "n":2 }');
    fields.replace('n', 7);
    fields.replace('tools', []);
    expect(fields.changedBody().toString()).toBe('{ "n":7, "seed":18446744073709551615, "n":7 }');
    expect(fields.value('n')).toBe(7);
    fields.remove('n');
    expect(fields.value('n')).toBeUndefined();
  });

  it("fields of a request return the client's buffer itself when nothing changes", () => {
    const body = Buffer.from('{"n":1}');
    expect(new RequestFields(body, names).changedBody()).toBe(body);
  });

  it('fields of a request are found behind a byte order mark', () => {
    const fields = fieldsOf('\uFEFF{"n":3}');
    expect(fields.value('n')).toBe(3);
    fields.replace('n', 4);
    expect(fields.changedBody().toString()).toBe('\uFEFF{"n":4}');
  });

  it.each(['', '[]', '{"n":', 'x'])('fields of a request are empty for %j, which is refused elsewhere', (text) => {
    const fields = fieldsOf(text);
    expect(fields.value('n')).toBeUndefined();
    expect(fields.changedBody().toString()).toBe(text);
  });

  it('fields of a request that the engine ignores are named once', () => {
    const fields = fieldsOf('{}');
    for (const name of ['n', 'tools', 'n']) fields.reportDropped(name);
    expect(fields.dropped).toEqual(['n', 'tools']);
  });
});

describe('a choice of tools', () => {
  const tool = (name: string) => ({ type: 'function', function: { name } });
  const narrowed = (choice: unknown, tools: unknown = [tool('a'), tool('b'), tool('c')]) => {
    const fields = fieldsOf(JSON.stringify({ tools, tool_choice: choice }));
    const mode = narrowTools(fields);
    const left = fields.value('tools') as { function: { name: string } }[];
    return [mode, left.map(({ function: { name } }) => name).join('')];
  };

  it.each<[unknown, string | undefined, string]>([
    [undefined, undefined, 'abc'],
    ['auto', 'auto', 'abc'],
    ['none', 'none', 'abc'],
    ['required', 'required', 'abc'],
    ['sometimes', undefined, 'abc'],
    [tool('b'), 'required', 'b'],
    [{ type: 'function', name: 'b' }, 'required', 'b'],
    [{ type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [tool('a'), tool('c')] } }, 'auto', 'ac'],
    [{ type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [tool('a')] } }, 'required', 'a'],
    [{ type: 'allowed_tools', mode: 'required', tools: [tool('a')] }, 'required', 'a'],
    [{ type: 'newer' }, 'required', 'abc'],
  ])('%j is %s of %s', (choice, mode, left) => {
    expect(narrowed(choice)).toEqual([mode, left]);
  });

  it('tolerates a malformed list of tools', () => {
    const fields = fieldsOf(JSON.stringify({ tools: 5, tool_choice: tool('a') }));
    expect(narrowTools(fields)).toBe('required');
    expect(fields.value('tools')).toBe(5);
  });
});
