import { describe, expect, it } from '@jest/globals';
import { shellLines } from './shell-lines.js';
import { setupOf, tools } from './tool-setup.js';

const access = { baseUrl: 'https://relay.example', apiKey: 'sk-ferry-x', model: 'qwen3:8b' };

describe('settings for a client program', () => {
  it("settings for a client program use the base URL with /v1 for OpenAI's clients, without for Anthropic's", () => {
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

  it('settings for a client program name the window and the longest answer of the model, where they are known', () => {
    const known = { ...access, limits: { contextTokens: 32_768, outputTokens: 8_192 } };
    expect(setupOf('claude', known).variables).toMatchObject({
      ANTHROPIC_DEFAULT_SONNET_MODEL: 'qwen3:8b',
      ANTHROPIC_DEFAULT_OPUS_MODEL: 'qwen3:8b',
      CLAUDE_CODE_MAX_CONTEXT_TOKENS: '32768',
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: '8192',
      CLAUDE_CODE_TOTAL_TOKENS_REMINDER: 'off',
    });
    expect(setupOf('copilot', known).variables).toMatchObject({
      COPILOT_PROVIDER_BASE_URL: 'https://relay.example/v1',
      COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '24576',
      COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: '8192',
    });
    expect(setupOf('codex', known).file?.content).toContain('\nmodel_context_window = 32768\n');
    expect(JSON.parse(setupOf('opencode', known).file?.content ?? '')).toMatchObject({
      provider: { ferry: { models: { 'qwen3:8b': { limit: { context: 32_768, output: 8_192 } } } } },
    });
    for (const tool of tools)
      expect(JSON.stringify(setupOf(tool, access))).not.toMatch(/CONTEXT|context_window|limit/i);
  });

  it('select the Responses protocol for Codex', () => {
    expect(setupOf('codex', access).file?.content).toContain('wire_api = "responses"');
    expect(setupOf('codex', access).file?.content).toContain('base_url = "https://relay.example/v1"');
  });

  it('settings for a client program form a valid file for opencode', () => {
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
  ] as const)('shell export lines are quoted for %s', (shell, lines) => {
    expect(shellLines(setup, shell)).toEqual(lines);
  });
});
