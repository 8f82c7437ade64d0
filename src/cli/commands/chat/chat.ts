import { findConnection, knownConnection } from '../../core/api/find-connection.js';
import { findInferenceAccess, type InferenceAccess } from '../../core/api/inference-key.js';
import { ManagementApi } from '../../core/api/management-api.js';
import { CliError } from '../../core/errors/cli-error.js';
import { CommandEnded } from '../../core/errors/command-ended.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Invocation } from '../../invocation.js';
import { printData, silently } from '../../core/output/print-data.js';
import { untilStopped } from '../../core/supervision/stop-signals.js';
import { findCluster } from '../clusters/find-cluster.js';
import { ask } from './ask.js';
import type { Conversation } from './chat-commands.js';
import { chooseModel } from './choose-model.js';
import { InferenceClient, type ChatQuestion } from './inference-client.js';
import { canOffer, offerKey } from './offer-key.js';
import { readPrompt } from './read-prompt.js';

export interface ChatOptions {
  readonly model?: string;
  readonly system?: string;
  readonly cluster?: string;
  readonly maxTokens?: number;
  readonly reasoning?: true;
  readonly key?: string;
}

/** One answer for a prompt from the command line or a pipe; a conversation on a terminal. */
export async function chat(invocation: Invocation, words: readonly string[], options: ChatOptions): Promise<void> {
  const client = new InferenceClient(await chatAccess(invocation, options.key));
  const piped = process.stdin.isTTY ? '' : await readPrompt(process.stdin, words.length > 0);
  const prompt = [words.join(' '), piped].filter((part) => part !== '').join('\n\n');
  if (prompt === '' && !process.stdin.isTTY) {
    throw new CliError('usage', exitCodes.usage, 'there is nothing to ask on stdin', {
      hint: 'ferry chat "QUESTION", or a question on stdin: ferry chat < FILE',
    });
  }
  const model = await chooseModel(invocation, client, options.model);
  const clusterId = options.cluster === undefined ? undefined : await clusterIdOf(invocation, options.cluster);
  const conversation: Conversation = { model, system: options.system, messages: [] };
  const question = ({ model: current, system, messages }: Conversation): ChatQuestion => ({
    model: current,
    messages: [...(system === undefined ? [] : [{ role: 'system' as const, content: system }]), ...messages],
    maxTokens: options.maxTokens,
    clusterId,
  });
  if (prompt !== '') {
    conversation.messages.push({ role: 'user', content: prompt });
    await respondOnce(invocation, client, question(conversation), options);
    return;
  }
  const { converse } = await import('./converse.js');
  await converse(invocation, client, conversation, { question, reasoning: options.reasoning === true });
}

/**
 * The key of `--key`, FERRY_API_KEY or the profile. A person who is signed in without one, as after `ferry login`, is offered a new one.
 * @throws CliError as findInferenceAccess
 */
async function chatAccess(invocation: Invocation, key: string | undefined): Promise<InferenceAccess> {
  const { baseUrl, apiKey, token } = await knownConnection(invocation);
  const isMissing = key === undefined && apiKey === undefined && baseUrl !== undefined && token?.source === 'profile';
  const made = isMissing && canOffer(invocation) ? await offerKey(invocation, baseUrl.value) : undefined;
  // After a no the command ends with the ways to name a key.
  if (made === undefined || baseUrl === undefined) return findInferenceAccess(invocation, key);
  return { baseUrl: baseUrl.value, apiKey: made };
}

/** A key alone cannot list clusters: without a sign-in only an id will do, and the relay judges it. */
async function clusterIdOf(invocation: Invocation, given: string): Promise<string> {
  const { token } = await knownConnection(invocation);
  if (given.startsWith('cl_') || token === undefined) return given;
  return findCluster(new ManagementApi(await findConnection(invocation)), given);
}

const respondOnce = (
  invocation: Invocation,
  client: InferenceClient,
  question: ChatQuestion,
  { reasoning }: ChatOptions,
): Promise<void> =>
  untilStopped(async (signal) => {
    const response = await ask(invocation, client, question, { reasoning: reasoning === true, signal });
    await printData(invocation, response, silently);
    if (response.cancelled) throw new CommandEnded(exitCodes.interrupted);
    if (response.finish_reason === 'length') invocation.terminal.note('(the answer reached its longest length)');
  });
