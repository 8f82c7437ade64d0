/** LiteLLM's proxy: the program named by FERRY_TEST_LITELLM (`litellm`, of the Python package `litellm[proxy]`). */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../support/network/free-port.js';
import { Program } from './program.js';

const START_MS = 120_000;

export interface LiteLlm {
  readonly url: string;
  readonly program: Program;
  readonly stop: () => Promise<void>;
}

/** @param providers names of models by the address of the OpenAI-compatible server that has them, and their names there */
export async function runLiteLlm(
  command: string,
  providers: readonly { readonly name: string; readonly url: string; readonly model: string }[],
): Promise<LiteLlm> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ferry-litellm-'));
  const config = path.join(folder, 'config.yaml');
  const models = providers.map(({ name, url, model }) => ({
    model_name: name,
    litellm_params: { model: `openai/${model}`, api_base: `${url}/v1`, api_key: 'none' },
  }));
  // JSON is YAML.
  await writeFile(config, JSON.stringify({ model_list: models }));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = await Program.start({
    command,
    args: ['--config', config, '--host', '127.0.0.1', '--port', String(port), '--telemetry', 'False'],
    cwd: folder,
    // It refuses to start without a key of its own, and discovery looks at servers without one only.
    env: { LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY: 'true', LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
    readyAt: `${url}/v1/models`,
    startMs: START_MS,
  });
  return {
    url,
    program,
    stop: async () => {
      await program.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
