/** The conversation of `ferry chat`. */
import pc from 'picocolors';
import { printable } from '../../../kernel/printable.js';
import { CliError } from '../../core/errors/cli-error.js';
import { renderFailure } from '../../core/output/render-failure.js';
import type { Invocation } from '../../invocation.js';
import { printData, silently } from '../../core/output/print-data.js';
import { ask } from './ask.js';
import { ResponseTiming } from './response-timing.js';
import { isCommand, isLeaving, runCommand, type Conversation } from './chat-commands.js';
import type { ChatQuestion, InferenceClient } from './inference-client.js';
import { QuestionReader } from './question-reader.js';

/** Until Ctrl-C or Ctrl-D at the prompt. A response that failed or was cancelled does not end it. */
export async function converse(
  invocation: Invocation,
  client: InferenceClient,
  conversation: Conversation,
  {
    question,
    reasoning,
  }: { readonly question: (conversation: Conversation) => ChatQuestion; readonly reasoning: boolean },
): Promise<void> {
  const { terminal } = invocation;
  const { bold, dim } = pc.createColors(terminal.stderrColors);
  // Drawn on stderr: stdout carries the responses only, so that it can be redirected.
  const reader = new QuestionReader(process.stdin, process.stderr);
  const { messages } = conversation;
  // Only now: until the reader has put the terminal into raw mode, the terminal itself takes a Ctrl-D, and the reader would see NUL.
  terminal.note(`${printable(conversation.model)} · /help for commands · Ctrl-C stops an answer · Ctrl-D leaves`);
  try {
    for (;;) {
      const line = await reader.next(bold('> '));
      if (line === undefined) return;
      if (isLeaving(line)) return;
      if (line === '') continue;
      try {
        if (isCommand(line)) {
          await reader.interruptible((signal) => runCommand(line, { invocation, client, conversation, signal }));
          continue;
        }
        messages.push({ role: 'user', content: line });
        const timing = new ResponseTiming();
        const response = await reader.interruptible((signal) =>
          ask(invocation, client, question(conversation), { reasoning, signal, onChunk: timing.chunk }),
        );
        await printData(invocation, response, silently);
        if (response.cancelled) terminal.note('(cancelled)');
        else terminal.note(dim(timing.describe(response.usage?.completion_tokens ?? null)));
        // Models expect alternating turns: a question without a response is removed.
        if (response.content === '') messages.pop();
        else messages.push({ role: 'assistant', content: response.content });
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        // A question without a response is removed.
        if (messages.at(-1)?.role === 'user') messages.pop();
        terminal.note(renderFailure(error, terminal.stderrColors));
      }
    }
  } finally {
    reader.close();
  }
}
