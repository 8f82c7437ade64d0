/** The programs of `ferry connect`: their configuration files, the content for Ferry, and how to start them. */
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { configDirectory } from '../../../kernel/data-directory.js';
import { isJsonObject } from '../../../kernel/json-object.js';
import { isLoopbackHost } from '../../core/api/relay-address.js';
import type { Environment } from '../../invocation.js';
import {
  claudeVariables,
  codexProvider,
  OPENCODE_SCHEMA,
  opencodeProvider,
  type ToolAccess,
} from '../env/tool-setup.js';
import { editEnvFile, envValue } from './edits/env-edit.js';
import { editJson, parseJsonFile } from './edits/json-edit.js';
import { editToml, parseToml } from './edits/toml-edit.js';
import { editYaml, parseYaml } from './edits/yaml-edit.js';
import type { ConnectableProgram } from './program-names.js';

export interface ProgramAccess extends ToolAccess {
  /** The program uses Ferry by default. */
  readonly asDefault: boolean;
}

export interface Program {
  readonly title: string;
  readonly file: ProgramFile | null;
  /** Whether the steps are the command that starts it. */
  readonly startsByCommand: boolean;
  /** The remaining steps, as commands or sentences. */
  readonly steps: (access: ProgramAccess) => readonly string[];
}

interface ProgramFile {
  readonly path: string;
  /** The file's new text. @throws CliError when it cannot be changed without loss */
  readonly edit: (text: string, access: ProgramAccess) => string;
  /** The key for Ferry in the file. @throws CliError when the file cannot be read */
  readonly keyIn: (text: string) => string | undefined;
}

/** @param asDefault where the program's file depends on it */
export function programOf(name: ConnectableProgram, env: Environment, asDefault: boolean): Program {
  const home = env['HOME'] ?? os.homedir();
  switch (name) {
    case 'codex':
      return codex(path.join(env['CODEX_HOME'] ?? path.join(home, '.codex'), 'config.toml'));
    case 'claude':
      return claude(env['CLAUDE_CONFIG_DIR'] ?? path.join(home, '.claude'), asDefault, env);
    case 'opencode':
      return opencode(path.join(env['XDG_CONFIG_HOME'] ?? path.join(home, '.config'), 'opencode'));
    case 'continue':
      return continueProgram(path.join(env['CONTINUE_GLOBAL_DIR'] ?? path.join(home, '.continue'), 'config.yaml'));
    case 'openwebui':
      return openWebUi(path.join(configDirectory(env), 'open-webui.env'));
    case 'cursor':
      return cursor;
    default:
      return name satisfies never;
  }
}

function codex(file: string): Program {
  const table = ['model_providers', 'ferry'] as const;
  return {
    title: 'Codex',
    startsByCommand: true,
    file: {
      path: file,
      edit: (text, access) =>
        editToml(
          text,
          {
            top: access.asDefault ? { model: access.model, model_provider: 'ferry' } : {},
            table,
            // A variable would not be set when Codex is started from the desktop or an editor.
            values: { ...codexProvider(access), experimental_bearer_token: access.apiKey },
            removed: ['env_key'],
          },
          file,
        ),
      keyIn: (text) => stringAt(parseToml(text, file), [...table, 'experimental_bearer_token']),
    },
    steps: ({ model, asDefault }) => [asDefault ? 'codex' : `codex -c model_provider=ferry -m ${quoted(model)}`],
  };
}

function claude(directory: string, asDefault: boolean, env: Environment): Program {
  // A separate file, unless Ferry is to be the default: Claude Code keeps its own sign-in for other starts.
  const file = path.join(directory, asDefault ? 'settings.json' : 'ferry.json');
  // Claude Code would send it together with the key of Ferry.
  const start = (env['ANTHROPIC_API_KEY'] ?? '') === '' ? 'claude' : 'env -u ANTHROPIC_API_KEY claude';
  return {
    title: 'Claude Code',
    startsByCommand: true,
    file: {
      path: file,
      edit: (text, access) => {
        const variables = Object.entries(claudeVariables(access));
        return editJson(
          text,
          variables.map(([name, value]) => ({ path: ['env', name], value })),
          file,
        );
      },
      keyIn: (text) => stringAt(parseJsonFile(text, file), ['env', 'ANTHROPIC_AUTH_TOKEN']),
    },
    steps: () => [asDefault ? start : `${start} --settings ${quoted(file)}`],
  };
}

function opencode(directory: string): Program {
  const [plain, commented] = [path.join(directory, 'opencode.json'), path.join(directory, 'opencode.jsonc')];
  const file = !existsSync(plain) && existsSync(commented) ? commented : plain;
  const provider = ['provider', 'ferry'];
  return {
    title: 'opencode',
    startsByCommand: true,
    file: {
      path: file,
      edit: (text, { baseUrl, apiKey, model, asDefault }) => {
        const settings = Object.entries(opencodeProvider(baseUrl, apiKey));
        const values = [
          ...(text.trim() === '' ? [{ path: ['$schema'], value: OPENCODE_SCHEMA }] : []),
          ...settings.map(([name, value]) => ({ path: [...provider, name], value })),
          { path: [...provider, 'models', model, 'name'], value: model },
          ...(asDefault ? [{ path: ['model'], value: `ferry/${model}` }] : []),
        ];
        return editJson(text, values, file);
      },
      keyIn: (text) => stringAt(parseJsonFile(text, file), [...provider, 'options', 'apiKey']),
    },
    steps: ({ model, asDefault }) => [asDefault ? 'opencode' : `opencode -m ${quoted(`ferry/${model}`)}`],
  };
}

function continueProgram(file: string): Program {
  const nameOf = (model: string): string => `${model} (Ferry)`;
  return {
    title: 'Continue',
    startsByCommand: false,
    file: {
      path: file,
      edit: (text, { baseUrl, apiKey, model }) =>
        editYaml(
          text,
          {
            list: 'models',
            by: 'name',
            entry: {
              name: nameOf(model),
              provider: 'openai',
              model,
              apiBase: `${baseUrl}/v1`,
              apiKey,
              roles: ['chat', 'edit', 'apply'],
            },
            defaults: { name: 'Local Config', version: '1.0.0', schema: 'v1' },
          },
          file,
        ),
      keyIn: (text) => {
        const { models } = (parseYaml(text, file).toJS() ?? {}) as { readonly models?: unknown };
        const entries = Array.isArray(models) ? models.filter(isJsonObject) : [];
        const ours = entries.find(({ name }) => typeof name === 'string' && name.endsWith(nameOf('').trim()));
        return ours === undefined ? undefined : stringAt(ours, ['apiKey']);
      },
    },
    steps: ({ model }) => [`choose the model "${nameOf(model)}" in Continue`],
  };
}

/** Open WebUI reads variables at its first start, and then keeps its settings in its database. */
function openWebUi(file: string): Program {
  return {
    title: 'Open WebUI',
    startsByCommand: false,
    file: {
      path: file,
      edit: (text, { baseUrl, apiKey }) =>
        editEnvFile(text, { OPENAI_API_BASE_URL: `${seenFromContainer(baseUrl)}/v1`, OPENAI_API_KEY: apiKey }),
      keyIn: (text) => envValue(text, 'OPENAI_API_KEY'),
    },
    steps: ({ baseUrl }) => [
      `docker run -d --name open-webui ${networkOf(baseUrl)} --env-file ${quoted(file)} -v open-webui:/app/backend/data ghcr.io/open-webui/open-webui:main`,
      'one that runs already: Admin Panel > Settings > Connections > OpenAI API, with the values of that file',
    ],
  };
}

const sharesHostNetwork = (baseUrl: string): boolean =>
  process.platform === 'linux' && isLoopbackHost(new URL(baseUrl).hostname);

/** Inside a container, loopback is the container itself unless it shares the host's network. */
function seenFromContainer(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (!isLoopbackHost(url.hostname) || sharesHostNetwork(baseUrl)) return baseUrl;
  url.hostname = 'host.docker.internal';
  return url.toString().replace(/\/$/, '');
}

const networkOf = (baseUrl: string): string =>
  sharesHostNetwork(baseUrl) ? '--network=host -e PORT=3000' : '-p 3000:8080';

const cursor: Program = {
  title: 'Cursor',
  startsByCommand: false,
  file: null,
  steps: ({ baseUrl, apiKey, model }) => [
    'Cursor Settings > Models > API Keys',
    `OpenAI API Key: ${apiKey}`,
    `Override OpenAI Base URL: ${baseUrl}/v1`,
    `Add Custom Model: ${model}`,
  ],
};

function stringAt(root: unknown, keys: readonly string[]): string | undefined {
  const value = keys.reduce<unknown>((inner, key) => (isJsonObject(inner) ? inner[key] : undefined), root);
  return typeof value === 'string' ? value : undefined;
}

/** Quotes for a shell where necessary. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
