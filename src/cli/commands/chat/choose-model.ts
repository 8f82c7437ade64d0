/** Chooses the model of a chat; one that is installed but not loaded is loaded when the person agrees. */
import { printable } from '../../../kernel/printable.js';
import { shellWord } from '../../../kernel/shell-words.js';
import { connect } from '../../core/api/connect.js';
import { knownConnection } from '../../core/api/find-connection.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { choose } from '../../core/output/choose.js';
import { confirm } from '../../core/output/confirm.js';
import type { Invocation } from '../../invocation.js';
import { isLoaded, knownModels, matching, type KnownModel } from '../models/known-models.js';
import { pickModelId } from '../models/find-model.js';
import { loadKnown, placeToLoad } from '../models/load-known.js';
import type { InferenceClient } from './inference-client.js';

/** @param wanted name, part of a name, or selector of `--model`. @throws CliError where nobody can be asked */
export async function chooseModel(
  invocation: Invocation,
  client: InferenceClient,
  wanted: string | undefined,
): Promise<string> {
  const { terminal } = invocation;
  const isPerson = terminal.interactive && process.stdin.isTTY;
  if (wanted !== undefined) return isPerson ? offerToLoad(invocation, client, wanted) : wanted;
  const loaded = await client.loadedModels();
  const [first] = loaded;
  if (first !== undefined) {
    return choose(terminal, loaded, {
      question: `${String(loaded.length)} models are loaded`,
      label: (id) => id,
      hint: () => '',
      advice: 'choose one with -m MODEL',
    });
  }
  const installed = isPerson ? await loadableModels(invocation) : [];
  if (installed.length === 0) {
    throw new CliError('no_model_loaded', exitCodes.noEligibleNode, 'no model is loaded', {
      hint: 'ferry models list, then: ferry models load MODEL; or ferry run NAME',
    });
  }
  const picked = await choose(terminal, installed, {
    question: 'No model is loaded',
    label: ({ id }) => id,
    hint: (model) => `load it on ${placeToLoad(model).node.name}`,
  });
  // Picking it from several was the consent.
  return load(invocation, picked, installed.length > 1);
}

/** The id itself where it is loaded, or where only the relay can say what is wrong with it. */
async function offerToLoad(invocation: Invocation, client: InferenceClient, wanted: string): Promise<string> {
  const loaded = await client.loadedModels();
  if (loaded.includes(wanted)) return wanted;
  const [model, ...others] = matching(await loadableModels(invocation), wanted);
  // An unknown name is left to the relay, whose error explains what is wrong with it.
  if (model === undefined) return pickModelId(loaded, wanted) ?? wanted;
  if (others.length > 0) {
    const ids = [model, ...others].map(({ id }) => id);
    return pickModelId(ids, wanted) ?? wanted;
  }
  return isLoaded(model) ? model.id : load(invocation, model);
}

async function load(invocation: Invocation, model: KnownModel, agreed = false): Promise<string> {
  const { node } = placeToLoad(model);
  const question = `${printable(model.id)} is not loaded. Load it on ${printable(node.name)}?`;
  if (!agreed && !(await confirm(invocation.terminal, question, { initialValue: true }))) {
    throw new CliError('no_model_loaded', exitCodes.noEligibleNode, `${printable(model.id)} is not loaded`, {
      hint: `ferry models load ${shellWord(printable(model.id))}, or another one: ferry models`,
    });
  }
  await loadKnown(invocation, await connect(invocation), model);
  return model.id;
}

/** Lists the models on computers that take work; empty without a sign-in, which `ferry chat` does not need. */
export async function loadableModels(invocation: Invocation): Promise<readonly KnownModel[]> {
  const { baseUrl, token } = await knownConnection(invocation);
  if (baseUrl === undefined || token === undefined) return [];
  const api = await connect(invocation);
  const [models, nodes] = await Promise.all([api.list('/api/models'), api.list('/api/nodes')]);
  return knownModels(models, nodes);
}
