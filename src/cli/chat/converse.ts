/** The conversation of `ferry chat`. Nothing of it is kept: what people ask stays in this process. */
import { createInterface, type Interface } from 'node:readline/promises';
import pc from 'picocolors';
import { CliError } from '../failure/cli-error.js';
import { renderFailure } from '../failure/render-failure.js';
import type { Invocation } from '../invocation.js';
import { printData, silently } from '../output/print-data.js';
import { ask } from './ask.js';
import type { ChatMessage, ChatQuestion, InferenceClient } from './inference-client.js';

/** Turns with the arrow keys. */
const HISTORY_LINES = 200;

/** Until Ctrl-C or Ctrl-D at the prompt. An answer that failed or was cancelled does not end it. */
export async function converse(
  invocation: Invocation,
  client: InferenceClient,
  question: (messages: readonly ChatMessage[]) => ChatQuestion,
  reasoning: boolean,
): Promise<void> {
  const { terminal } = invocation;
  const { bold } = pc.createColors(terminal.stderrColors);
  // Drawn on stderr: stdout has the answers and nothing else, also when it goes into a file.
  const input = createInterface({ input: process.stdin, output: process.stderr, historySize: HISTORY_LINES });
  const messages: ChatMessage[] = [];
  try {
    for (;;) {
      const line = await nextLine(input, bold('> '));
      if (line === undefined) return;
      if (line === '') continue;
      messages.push({ role: 'user', content: line });
      const stop = new AbortController();
      const cancel = (): void => {
        stop.abort();
      };
      input.on('SIGINT', cancel);
      try {
        const answer = await ask(invocation, client, question(messages), { reasoning, signal: stop.signal });
        await printData(invocation, answer, silently);
        if (answer.cancelled) terminal.note('(cancelled)');
        // A question without an answer would stand before the next question, and models expect turns.
        if (answer.content === '') messages.pop();
        else messages.push({ role: 'assistant', content: answer.content });
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        // The question stays out of the conversation, as if it had not been asked.
        messages.pop();
        terminal.note(renderFailure(error, terminal.stderrColors));
      } finally {
        input.off('SIGINT', cancel);
      }
    }
  } finally {
    input.close();
  }
}

/** Undefined at the end: Ctrl-D or Ctrl-C. */
async function nextLine(input: Interface, prompt: string): Promise<string | undefined> {
  const ended = new AbortController();
  const end = (): void => {
    ended.abort();
  };
  input.once('SIGINT', end).once('close', end);
  try {
    return (await input.question(prompt, { signal: ended.signal })).trim();
  } catch (error) {
    if (ended.signal.aborted) return undefined;
    throw error;
  } finally {
    input.off('SIGINT', end).off('close', end);
  }
}
