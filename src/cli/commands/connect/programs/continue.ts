import path from 'node:path';
import { isJsonObject } from '../../../../kernel/json-object.js';
import { editYaml, parseYaml } from '../edits/yaml-edit.js';
import { stringAt, type Program, type ProgramPlace } from './program.js';

/** Continue (https://docs.continue.dev/reference#models). */
export function continueProgram({ home, env }: ProgramPlace): Program {
  const file = path.join(env['CONTINUE_GLOBAL_DIR'] ?? path.join(home, '.continue'), 'config.yaml');
  const nameOf = (model: string): string => `${model} (Ferry)`;
  return {
    title: 'Continue',
    startsByCommand: false,
    isAgent: true,
    file: {
      path: file,
      edit: (text, { baseUrl, apiKey, model, images, tools, limits: { contextTokens, outputTokens } }) =>
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
              // Continue knows the abilities of well-known names only.
              capabilities: [...(tools === false ? [] : ['tool_use']), ...(images ? ['image_input'] : [])],
              defaultCompletionOptions:
                contextTokens === null || outputTokens === null
                  ? undefined
                  : { contextLength: contextTokens, maxTokens: outputTokens },
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
