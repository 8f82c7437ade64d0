/** The commands of a conversation: lines such as `/model qwen3:8b`. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { printable } from '../../../kernel/printable.js';
import { connect } from '../../core/api/connect.js';
import { didYouMean } from '../../core/args/pick-named.js';
import { CliError } from '../../core/errors/cli-error.js';
import { CommandEnded } from '../../core/errors/command-ended.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Invocation } from '../../invocation.js';
import { loadKnown } from '../models/load-known.js';
import { loadableModels } from './choose-model.js';
import type { ChatMessage, InferenceClient } from './inference-client.js';

/** Kept in the memory of this process only, unless it is saved. */
export interface Conversation {
  model: string;
  system: string | undefined;
  readonly messages: ChatMessage[];
}

interface ChatCommand {
  readonly usage: string;
  readonly about: string;
  readonly run: (context: CommandContext, argument: string) => Promise<void> | void;
}

export interface CommandContext {
  readonly invocation: Invocation;
  readonly client: InferenceClient;
  readonly conversation: Conversation;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

const commands: Readonly<Record<string, ChatCommand>> = {
  help: { usage: '/help', about: 'show these commands', run: showHelp },
  model: {
    usage: '/model [NAME]',
    about: 'list the models, or change to one; it is loaded if it is not',
    run: setModel,
  },
  system: {
    usage: '/system [TEXT]',
    about: 'show the system prompt, or set it; /system none removes it',
    run: setSystem,
  },
  save: { usage: '/save [FILE]', about: 'write the conversation to a file, as Markdown or .json', run: save },
  clear: { usage: '/clear', about: 'forget the conversation so far', run: clear },
  bye: { usage: '/bye', about: 'leave; also /exit, /quit and exit', run: () => undefined },
};

/** Other chat programs end with these. Alone on its line: a question may begin with the word. */
const LEAVING: readonly string[] = ['/bye', '/exit', '/quit', 'exit', 'quit'];

export const isLeaving = (line: string): boolean => LEAVING.includes(line.trim().toLowerCase());

/** A path such as `/etc/hosts` is a question. */
const COMMAND_LINE = /^\/([a-z]+)(?:[ \t]+(.*))?$/;

export const isCommand = (line: string): boolean => COMMAND_LINE.test(line);

/** @throws CliError when the command failed; the conversation goes on */
export async function runCommand(line: string, context: CommandContext): Promise<void> {
  const [, name = '', argument = ''] = COMMAND_LINE.exec(line) ?? [];
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    throw new CliError('usage', exitCodes.usage, `unknown command /${name}`, { hint: '/help' });
  }
  await command.run(context, argument.trim());
}

function showHelp({ invocation: { terminal } }: CommandContext): void {
  const width = Math.max(...Object.values(commands).map(({ usage }) => usage.length));
  for (const { usage, about } of Object.values(commands)) terminal.note(`  ${usage.padEnd(width)}  ${about}`);
  terminal.note('  """ begins a question of several lines, and ends it.');
  terminal.note('  Ctrl-C stops an answer. Ctrl-D, or Ctrl-C at the prompt, ends the chat.');
}

async function setModel(context: CommandContext, name: string): Promise<void> {
  const { invocation, client, conversation } = context;
  const { note } = invocation.terminal;
  const models = await client.models();
  if (name === '') {
    for (const [index, { id, loaded }] of models.entries()) {
      const mark = id === conversation.model ? '›' : ' ';
      note(`${mark} ${String(index + 1).padStart(2)}  ${printable(id)}${loaded === true ? '' : '  (not loaded)'}`);
    }
    note('  /model NAME or number changes to another');
    return;
  }
  const wanted = name.toLowerCase();
  const exact = models.filter(({ id }, index) => id.toLowerCase() === wanted || String(index + 1) === name);
  const found = exact.length > 0 ? exact : models.filter(({ id }) => id.toLowerCase().includes(wanted));
  const [model, ...others] = found;
  if (model === undefined) {
    throw new CliError('model_not_found', exitCodes.notFound, `there is no model "${name}"`, {
      hint:
        didYouMean(
          name,
          models.map(({ id }) => id),
        ) ?? '/model',
    });
  }
  if (others.length > 0) {
    const names = found.map(({ id }) => printable(id)).join(', ');
    throw new CliError('usage', exitCodes.usage, `several models match: ${names}`, { hint: 'give the whole name' });
  }
  if (model.loaded !== true && !(await load(context, model.id))) return;
  conversation.model = model.id;
  note(`The next answer is from ${printable(model.id)}.`);
}

/** False after Ctrl-C; the node goes on to load it. */
async function load({ invocation, signal }: CommandContext, id: string): Promise<boolean> {
  const known = (await loadableModels(invocation)).find((model) => model.id === id);
  if (known === undefined) {
    throw new CliError('no_eligible_node', exitCodes.noEligibleNode, `${id} is not loaded, and cannot be loaded now`, {
      hint: 'ferry nodes; ferry login, if this computer is not signed in',
    });
  }
  try {
    await loadKnown(invocation, await connect(invocation), known, signal);
    return true;
  } catch (error) {
    if (error instanceof CommandEnded) return false;
    throw error;
  }
}

function setSystem({ invocation: { terminal }, conversation }: CommandContext, text: string): void {
  if (text !== '') conversation.system = text === 'none' ? undefined : text;
  terminal.note(conversation.system === undefined ? 'No system prompt.' : `System prompt: ${conversation.system}`);
}

function clear({ invocation: { terminal }, conversation }: CommandContext): void {
  conversation.messages.length = 0;
  terminal.note('The conversation starts again; model and system prompt are kept.');
}

async function save({ invocation: { terminal }, conversation }: CommandContext, name: string): Promise<void> {
  const file = path.resolve(name === '' ? `chat-${new Date().toISOString().replace(/\..*|[:-]/g, '')}.md` : name);
  const { model, system, messages } = conversation;
  const all: readonly ChatMessage[] = [
    ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
    ...messages,
  ];
  const text = file.endsWith('.json')
    ? `${JSON.stringify({ model, messages: all }, null, 2)}\n`
    : [`# ${model}`, ...all.map(({ role, content }) => `## ${role}\n\n${content}`)].join('\n\n') + '\n';
  try {
    // A new file, for its owner only: nothing is overwritten.
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'EEXIST' ? `${file} exists already` : `${file} cannot be written: ${message}`;
    throw new CliError('file_not_written', exitCodes.failure, reason, { hint: '/save OTHER-FILE' });
  }
  terminal.note(`Saved ${String(messages.length)} messages to ${file}`);
}
