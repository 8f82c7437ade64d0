import { describe, expect, it } from '@jest/globals';
import { shellLines } from './shell-lines.js';
import { setupOf, tools } from './tool-setup.js';

const access = { baseUrl: 'https://relay.example', apiKey: 'sk-ferry-x', model: 'qwen3:8b' };

describe('settings for a client program', () => {
  it("use the base URL with /v1 for OpenAI's clients, without for Anthropic's", () => {
    expect(setupOf('openai', access).variables).toEqual({
      OPENAI_BASE_URL: 'https://relay.example/v1',
      OPENAI_API_KEY: 'sk-ferry-x',
    });
    expect(setupOf('anthropic', access)).toMatchObject({
      variables: { ANTHROPIC_BASE_URL: 'https://relay.example', ANTHROPIC_AUTH_TOKEN: 'sk-ferry-x' },
      unset: ['ANTHROPIC_API_KEY'],
    });
  });

  it("set Claude Code's small model, too", () => {
    expect(setupOf('claude', access).variables).toMatchObject({
      ANTHROPIC_MODEL: 'qwen3:8b',
      ANTHROPIC_DEFAULT_HAIKU_MODEL: 'qwen3:8b',
    });
  });

  it('select the Responses protocol for Codex', () => {
    expect(setupOf('codex', access).file?.content).toContain('wire_api = "responses"');
    expect(setupOf('codex', access).file?.content).toContain('base_url = "https://relay.example/v1"');
  });

  it('form a valid file for opencode', () => {
    expect(JSON.parse(setupOf('opencode', access).file?.content ?? '')).toMatchObject({
      provider: { ferry: { options: { baseURL: 'https://relay.example/v1' }, models: { 'qwen3:8b': {} } } },
      model: 'ferry/qwen3:8b',
    });
  });

  it('never write the key into a file', () => {
    for (const tool of tools) expect(setupOf(tool, access).file?.content ?? '').not.toContain('sk-ferry-x');
  });
});

describe('shell export lines', () => {
  const setup = { variables: { A: "it's $HOME `x`" }, unset: ['B'] };

  it.each([
    ['sh', ['unset B', String.raw`export A='it'\''s $HOME ` + "`x`'"]],
    ['fish', ['set -e B', String.raw`set -gx A 'it\'s $HOME ` + "`x`'"]],
    ['powershell', ['Remove-Item Env:B -ErrorAction SilentlyContinue', "$env:A = 'it''s $HOME `x`'"]],
  ] as const)('are quoted for %s', (shell, lines) => {
    expect(shellLines(setup, shell)).toEqual(lines);
  });
});
