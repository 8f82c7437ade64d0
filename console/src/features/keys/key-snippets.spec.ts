import { describe, expect, it } from '@jest/globals';
import { keySnippets } from './key-snippets';

const snippets = keySnippets('https://relay.example', 'sk-ferry-abc', 'qwen3:8b');
const codeOf = (name: string) => snippets.find((snippet) => snippet.name === name)?.code ?? '';

describe('the snippets of a new key', () => {
  it('the snippets of a new key exist for every client, with address, key and model filled in', () => {
    expect(snippets.map(({ name }) => name)).toEqual([
      'curl',
      'OpenAI (Python)',
      'OpenAI (JavaScript)',
      'Anthropic (Python)',
      'AI SDK',
      'LangChain',
      'Codex',
      'Claude Code',
      'opencode',
    ]);
    for (const { code, note = '' } of snippets) {
      expect(code).toContain('https://relay.example');
      expect(code).toContain('qwen3:8b');
      expect(code + note).toContain('sk-ferry-abc');
    }
  });

  it('the snippets of a new key leave /v1 out for Anthropic clients only', () => {
    expect(codeOf('Anthropic (Python)')).toContain('base_url="https://relay.example"');
    expect(codeOf('Claude Code')).toContain('ANTHROPIC_BASE_URL=https://relay.example\n');
    expect(codeOf('Codex')).toContain('base_url = "https://relay.example/v1"');
  });

  it('the snippets of a new key do not execute anything in the name of a model', () => {
    const hostile = keySnippets('https://relay.example', 'sk-ferry-abc', `x'; $(rm -rf ~) "`);
    const curl = hostile.find(({ name }) => name === 'curl')?.code ?? '';
    expect(curl).toContain(`x'\\''; $(rm -rf ~) \\"`);
    expect(hostile.find(({ name }) => name === 'Claude Code')?.code).toContain(`='x'\\''; $(rm -rf ~) "'`);
  });
});
