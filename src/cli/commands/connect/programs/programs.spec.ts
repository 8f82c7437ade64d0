import { describe, expect, it } from '@jest/globals';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { limitsOf, type LoadedModel } from '../../models/loaded-models.js';
import { connectablePrograms, type ConnectableProgram } from '../program-names.js';
import { chosen } from '../choose-model.js';
import type { ProgramAccess } from './program.js';
import { programOf } from './program-of.js';

const loaded = (id: string, contextTokens: number | null, images = false): LoadedModel => ({
  id,
  selector: `mdl_${id}`,
  ...limitsOf(contextTokens),
  images,
  tools: true,
  isTrial: false,
});

const models = [loaded('qwen3:8b', 32_768), loaded('gemma3:4b', 65_536, true)];

const accessOf = (given: readonly LoadedModel[] = models, asDefault = false): ProgramAccess => ({
  baseUrl: 'http://127.0.0.1:8787',
  apiKey: 'sk-ferry-x',
  asDefault,
  ...chosen('qwen3:8b', given),
});

const HOME = '/home/ada';
const env = { HOME, FERRY_CONFIG_DIR: '/home/ada/.config/ferry' };

/** The file that is written where there was `before`. */
function written(name: ConnectableProgram, access: ProgramAccess, before = ''): string {
  const { file } = programOf(name, env, access.asDefault);
  if (file === null) throw new Error(`${name} has no file`);
  return file.edit(before, access);
}

const json = (text: string): unknown => JSON.parse(text);

describe('the context window and the output limit of the loaded model', () => {
  it('reach Claude Code in its variables, with every alias, and with the token reminder off', () => {
    expect(json(written('claude', accessOf()))).toEqual({
      env: {
        ANTHROPIC_BASE_URL: 'http://127.0.0.1:8787',
        ANTHROPIC_AUTH_TOKEN: 'sk-ferry-x',
        ANTHROPIC_MODEL: 'qwen3:8b',
        ANTHROPIC_SMALL_FAST_MODEL: 'qwen3:8b',
        ANTHROPIC_DEFAULT_HAIKU_MODEL: 'qwen3:8b',
        ANTHROPIC_DEFAULT_SONNET_MODEL: 'qwen3:8b',
        ANTHROPIC_DEFAULT_OPUS_MODEL: 'qwen3:8b',
        ANTHROPIC_DEFAULT_FABLE_MODEL: 'qwen3:8b',
        CLAUDE_CODE_MAX_CONTEXT_TOKENS: '32768',
        CLAUDE_CODE_MAX_OUTPUT_TOKENS: '8192',
        CLAUDE_CODE_TOTAL_TOKENS_REMINDER: 'off',
      },
    });
  });

  it('reach Codex in its start command, and in its file only where Ferry is the default', () => {
    const { steps } = programOf('codex', env, false);
    expect(steps(accessOf())).toEqual(['codex -c model_provider=ferry -m qwen3:8b -c model_context_window=32768']);
    expect(parseToml(written('codex', accessOf()))).not.toHaveProperty('model_context_window');
    expect(parseToml(written('codex', accessOf(models, true)))).toMatchObject({
      model: 'qwen3:8b',
      model_provider: 'ferry',
      model_context_window: 32_768,
    });
  });

  it('the context window and the output limit of the loaded model reach opencode for everything that is loaded', () => {
    expect(json(written('opencode', accessOf()))).toMatchObject({
      provider: {
        ferry: {
          models: {
            'qwen3:8b': { name: 'qwen3:8b', limit: { context: 32_768, output: 8_192 } },
            'gemma3:4b': {
              limit: { context: 65_536, output: 16_384 },
              attachment: true,
              modalities: { input: ['text', 'image'], output: ['text'] },
            },
          },
        },
      },
    });
  });

  it('the context window and the output limit of the loaded model reach Continue as completion options', () => {
    expect(parseYaml(written('continue', accessOf()))).toMatchObject({
      models: [
        {
          model: 'qwen3:8b',
          capabilities: ['tool_use'],
          defaultCompletionOptions: { contextLength: 32_768, maxTokens: 8_192 },
        },
      ],
    });
  });

  it('the context window and the output limit of the loaded model reach Qwen Code as a provider of its own', () => {
    expect(json(written('qwen', accessOf()))).toMatchObject({
      env: { FERRY_API_KEY: 'sk-ferry-x' },
      providerProtocol: { ferry: 'openai' },
      modelProviders: {
        ferry: [
          {
            id: 'qwen3:8b',
            envKey: 'FERRY_API_KEY',
            baseUrl: 'http://127.0.0.1:8787/v1',
            generationConfig: { contextWindowSize: 32_768, samplingParams: { max_tokens: 8_192 } },
          },
          { id: 'gemma3:4b', generationConfig: { modalities: { image: true } } },
        ],
      },
    });
    expect(json(written('qwen', accessOf(models, true)))).toMatchObject({
      security: { auth: { selectedType: 'openai' } },
      model: { name: 'qwen3:8b' },
    });
  });

  it('reach GitHub Copilot CLI as variables: what is left for the prompt, and the answer', () => {
    expect(written('copilot', accessOf()).split('\n')).toEqual([
      'COPILOT_PROVIDER_BASE_URL=http://127.0.0.1:8787/v1',
      'COPILOT_PROVIDER_API_KEY=sk-ferry-x',
      'COPILOT_MODEL=qwen3:8b',
      'COPILOT_PROVIDER_MAX_PROMPT_TOKENS=24576',
      'COPILOT_PROVIDER_MAX_OUTPUT_TOKENS=8192',
      '',
    ]);
  });

  it('the context window and the output limit of the loaded model reach pi, with what each model can see', () => {
    expect(json(written('pi', accessOf()))).toMatchObject({
      providers: {
        ferry: {
          api: 'openai-completions',
          models: [
            { id: 'qwen3:8b', contextWindow: 32_768, maxTokens: 8_192, input: ['text'] },
            { id: 'gemma3:4b', contextWindow: 65_536, maxTokens: 16_384, input: ['text', 'image'] },
          ],
        },
      },
    });
  });

  it('the context window and the output limit of the loaded model reach Cline in the file of its sign-ins', () => {
    expect(json(written('cline', accessOf(models, true)))).toMatchObject({
      version: 1,
      lastUsedProvider: 'openai-compatible',
      providers: {
        'openai-compatible': {
          settings: {
            provider: 'openai-compatible',
            apiKey: 'sk-ferry-x',
            model: 'qwen3:8b',
            baseUrl: 'http://127.0.0.1:8787/v1',
            contextWindow: 32_768,
            maxTokens: 8_192,
          },
          tokenSource: 'manual',
        },
      },
    });
  });

  it('the context window and the output limit of the loaded model reach Zed, whose file holds no key', () => {
    /** Zed gives up the whole list for a model that lacks one of these. */
    const needed = (images: boolean) => ({ tools: true, images, parallel_tool_calls: false, prompt_cache_key: false });
    const text = written('zed', accessOf(models, true));
    expect(json(text)).toMatchObject({
      agent: { default_model: { provider: 'ferry', model: 'qwen3:8b' } },
      language_models: {
        openai_compatible: {
          ferry: {
            api_url: 'http://127.0.0.1:8787/v1',
            available_models: [
              { name: 'qwen3:8b', max_tokens: 32_768, max_output_tokens: 8_192, capabilities: needed(false) },
              { name: 'gemma3:4b', max_tokens: 65_536, capabilities: needed(true) },
            ],
          },
        },
      },
    });
    expect(text).not.toContain('sk-ferry-x');
  });

  it('reach Zed with a number also where the engine says no limit, and tell where its key belongs', () => {
    const { steps } = programOf('zed', env, false);
    const [model] = (
      json(written('zed', accessOf([loaded('qwen3:8b', null)]))) as {
        language_models: { openai_compatible: { ferry: { available_models: Record<string, unknown>[] } } };
      }
    ).language_models.openai_compatible.ferry.available_models;
    expect(model).toMatchObject({ max_tokens: 32_768 });
    expect(model).not.toHaveProperty('max_output_tokens');
    expect(steps(accessOf()).join('\n')).toMatch(/LLM Providers > ferry[^]*sk-ferry-x[^]*FERRY_API_KEY/);
  });
});

describe('a program that is connected again', () => {
  const files = connectablePrograms.filter((name) => programOf(name, env, false).file !== null);

  it.each(files)('%s: has nothing to change', (name) => {
    const once = written(name, accessOf());
    expect(written(name, accessOf(), once)).toBe(once);
  });

  it.each(files.filter((name) => name !== 'zed'))('%s: is found to have its key', (name) => {
    expect(programOf(name, env, false).file?.keyIn(written(name, accessOf()))).toBe('sk-ferry-x');
  });

  it.each(['claude', 'opencode', 'continue', 'qwen', 'copilot', 'pi', 'cline'] as const)(
    '%s: is not left with the limits of before when the engine says none',
    (name) => {
      const unknown = written(name, accessOf([loaded('qwen3:8b', null)]), written(name, accessOf()));
      expect(unknown).not.toMatch(/32768|32_768|8192/);
    },
  );

  it('codex: is not left with the window of before when the engine says none', () => {
    const once = written('codex', accessOf(models, true), '# mine\nmodel_context_window = 272000\n');
    expect(parseToml(once)).toMatchObject({ model_context_window: 32_768 });
    const unknown = written('codex', accessOf([loaded('qwen3:8b', null)], true), once);
    expect(parseToml(unknown)).not.toHaveProperty('model_context_window');
    expect(unknown).toContain('# mine\n');
  });

  it('opencode: loses models that are not loaded any more, unless the person has added to them', () => {
    const before = JSON.stringify({
      provider: { ferry: { models: { old: { name: 'old', limit: {} }, mine: { name: 'mine', options: { a: 1 } } } } },
    });
    const { provider } = json(written('opencode', accessOf(), before)) as {
      provider: { ferry: { models: Record<string, unknown> } };
    };
    expect(Object.keys(provider.ferry.models).sort()).toEqual(['gemma3:4b', 'mine', 'qwen3:8b']);
  });

  it('qwen, cline and zed: keep what the person has set beside it', () => {
    const mine = { modelProviders: { openai: [{ id: 'gpt' }] }, env: { A: '1' } };
    expect(json(written('qwen', accessOf(), JSON.stringify(mine)))).toMatchObject(mine);
    const other = { version: 1, lastUsedProvider: 'cline', providers: { cline: { settings: { provider: 'cline' } } } };
    expect(json(written('cline', accessOf(), JSON.stringify(other)))).toMatchObject(other);
    const zed = written('zed', accessOf(), '// mine\n{\n  "theme": "One Dark"\n}\n');
    expect(zed).toMatch(/^\/\/ mine\n\{\n {2}"theme": "One Dark",\n/);
  });
});
