import { InferenceClient } from '../chat/inference-client.js';
import { findConnection } from '../../core/api/find-connection.js';
import { ManagementApi } from '../../core/api/management-api.js';
import { itemsNamed } from '../../core/args/pick-named.js';
import { CliError } from '../../core/errors/cli-error.js';
import { readLoadedModels, type LoadedModel } from '../models/loaded-models.js';
import { findInferenceAccess, type InferenceAccess } from '../../core/api/inference-key.js';
import type { Invocation } from '../../invocation.js';
import { printData } from '../../core/output/print-data.js';
import { shellLines, type Shell } from './shell-lines.js';
import type { EnvResponse } from './env.shape.js';
import { setupOf, type Tool } from './tool-setup.js';

interface EnvOptions {
  readonly key?: string;
  readonly model?: string;
  readonly shell: Shell;
}

const wantsModel: ReadonlySet<Tool> = new Set(['claude', 'codex', 'opencode', 'copilot', 'vercel']);

/** stdout carries only the lines or the file, so that it can be evaluated or redirected; the target path is printed on stderr. */
export async function printEnv(invocation: Invocation, tool: Tool, options: EnvOptions): Promise<void> {
  const { terminal } = invocation;
  const access = await findInferenceAccess(invocation, options.key);
  const loaded = wantsModel.has(tool) ? await loadedWithLimits(invocation) : [];
  const [named] = options.model === undefined ? [] : itemsNamed(loaded, options.model, loadedNames);
  const model =
    named?.id ?? options.model ?? (wantsModel.has(tool) ? (loaded[0]?.id ?? (await firstLoaded(access))) : undefined);
  if (model === undefined && wantsModel.has(tool)) terminal.note('No model is loaded: put one in place of MODEL.');
  const limits = loaded.find(({ id, selector }) => id === model || selector === model);
  const setup = setupOf(tool, { ...access, model: model ?? 'MODEL', limits });
  const response: EnvResponse = { object: 'env', tool, base_url: access.baseUrl, ...setup, unset: [...setup.unset] };
  await printData(invocation, response, () => {
    const lines = shellLines(setup, options.shell);
    if (setup.file === null) {
      for (const line of lines) terminal.print(line);
      return;
    }
    terminal.note(`Put this into ${setup.file.path}, and into your shell:`);
    for (const line of lines) terminal.note(`  ${line}`);
    terminal.print(setup.file.content);
  });
}

/** One that is not loaded is left to the relay. */
const loadedNames = {
  ids: ({ selector }: LoadedModel) => [selector],
  names: ({ id }: LoadedModel) => [id],
};

/** Only the management API says the limits: without a sign-in they are left out. */
async function loadedWithLimits(invocation: Invocation): Promise<readonly LoadedModel[]> {
  try {
    return await readLoadedModels(new ManagementApi(await findConnection(invocation)));
  } catch (error) {
    if (error instanceof CliError) return [];
    throw error;
  }
}

/** The model name is optional: an unreachable relay is not an error. */
async function firstLoaded(access: InferenceAccess): Promise<string | undefined> {
  const models = await new InferenceClient(access).loadedModels().catch((): readonly string[] => []);
  return models[0];
}
