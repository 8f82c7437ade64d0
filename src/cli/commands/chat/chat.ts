import { systemClock } from '../../../kernel/clock.js';
import { findInferenceAccess } from '../../core/api/inference-key.js';
import { CliError } from '../../core/errors/cli-error.js';
import { CommandEnded } from '../../core/errors/command-ended.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Invocation } from '../../invocation.js';
import { printData, silently } from '../../core/output/print-data.js';
import { printable } from '../../../kernel/printable.js';
import { watchStopSignals } from '../../core/supervision/stop-signals.js';
import { ask } from './ask.js';
import { InferenceClient, type ChatMessage, type ChatQuestion } from './inference-client.js';
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
  const client = new InferenceClient(await findInferenceAccess(invocation, options.key));
  const piped = process.stdin.isTTY ? '' : await readPrompt(process.stdin, words.length > 0);
  const prompt = [words.join(' '), piped].filter((part) => part !== '').join('\n\n');
  const model = options.model ?? (await onlyLoaded(client));
  const question = (messages: readonly ChatMessage[]): ChatQuestion => ({
    model,
    messages: [...systemOf(options), ...messages],
    maxTokens: options.maxTokens,
    clusterId: options.cluster,
  });
  if (prompt !== '') {
    await answerOnce(invocation, client, question([{ role: 'user', content: prompt }]), options);
    return;
  }
  if (!process.stdin.isTTY) throw new CliError('usage', exitCodes.usage, 'there is nothing to ask on stdin');
  const { converse } = await import('./converse.js');
  invocation.terminal.note(`${printable(model)}. Ctrl-C stops an answer, and ends the conversation at the prompt.`);
  await converse(invocation, client, question, options.reasoning === true);
}

async function answerOnce(
  invocation: Invocation,
  client: InferenceClient,
  question: ChatQuestion,
  { reasoning }: ChatOptions,
): Promise<void> {
  const signals = watchStopSignals(process, systemClock);
  const stop = new AbortController();
  void signals.first.then(() => {
    stop.abort();
  });
  try {
    const answer = await ask(invocation, client, question, { reasoning: reasoning === true, signal: stop.signal });
    await printData(invocation, answer, silently);
    if (answer.cancelled) throw new CommandEnded(exitCodes.interrupted);
    if (answer.finish_reason === 'length') invocation.terminal.note('(the answer reached its longest length)');
  } finally {
    signals.dispose();
  }
}

const systemOf = ({ system }: ChatOptions): readonly ChatMessage[] =>
  system === undefined ? [] : [{ role: 'system', content: system }];

async function onlyLoaded(client: InferenceClient): Promise<string> {
  const models = await client.loadedModels();
  const [first, ...others] = models;
  if (first === undefined) {
    throw new CliError('no_model_loaded', exitCodes.noEligibleNode, 'no model is loaded', {
      hint: 'ferry models list, then: ferry models load MODEL',
    });
  }
  if (others.length === 0) return first;
  throw new CliError('usage', exitCodes.usage, `several models are loaded: ${models.join(', ')}`, {
    hint: 'choose one with -m MODEL',
  });
}
