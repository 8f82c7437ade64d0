/** Fields of requests as the types of the official SDKs declare them, and what becomes of each. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { EngineFailure } from '../../../src/agent/engines/engine.js';
import { readMessagesEnvelope } from '../../../src/dialects/messages/envelope.js';
import { messagesToChat } from '../../../src/dialects/messages/to-chat/to-chat.js';
import { readResponsesEnvelope } from '../../../src/dialects/responses/envelope.js';
import { responsesToChat } from '../../../src/dialects/responses/to-chat/to-chat.js';
import { FerryError } from '../../../src/kernel/errors/ferry-error.js';
import { repositoryRoot } from '../process/ferry-process.js';

export type Body = Readonly<Record<string, unknown>>;
export type Outcome = 'honoured' | 'refused' | 'reported' | 'silent';

/** What becomes of a request: all that the engine or its sampling gets, and what is reported as dropped. */
export interface Understood {
  readonly given: unknown;
  readonly dropped: readonly string[];
}

/** A value with an effect; and, where the field has none on the model or its response, why. */
export interface Probe {
  readonly value: unknown;
  /** Further fields that it needs. */
  readonly with?: Body;
  readonly noEffect?: string;
}

/** A declaration below `node_modules`, and the name of the interface in it. */
export type SdkType = readonly [file: string, name: string];

const MESSAGES = '@anthropic-ai/sdk/resources';
export const ANTHROPIC = `${MESSAGES}/messages/messages.d.ts`;
export const ANTHROPIC_BETA = `${MESSAGES}/beta/messages/messages.d.ts`;
export const OPENAI_RESPONSES = 'openai/resources/responses/responses.d.ts';

/** Requests that need nothing else, by route. */
export const bases = {
  messages: { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] },
  responses: { model: 'm', input: 'hi' },
} as const;

export const understand = {
  messages: (body: Body): Understood => {
    const { body: given, dropped } = messagesToChat(readMessagesEnvelope(body), { reasoning: null });
    return { given, dropped };
  },
  responses: (body: Body): Understood => {
    const { body: request } = readResponsesEnvelope(body);
    const { body: given, dropped, response } = responsesToChat(request, { earlier: [], reasoning: null });
    return { given: [given, response], dropped };
  },
} as const;

/** The members of the interfaces, as the SDKs' generator writes them: one to a line, four blanks deep. */
export async function fieldsOf(types: readonly SdkType[]): Promise<readonly string[]> {
  const lists = await Promise.all(types.map(([file, name]) => fieldsOfOne(file, name)));
  return [...new Set(lists.flat())].sort();
}

async function fieldsOfOne(file: string, name: string): Promise<readonly string[]> {
  const text = await readFile(path.join(repositoryRoot, 'node_modules', file), 'utf8');
  const body = new RegExp(`^export interface ${name}(?: extends [^{]*)? \\{\\n([^]*?)^\\}`, 'm').exec(text)?.[1];
  if (body === undefined) throw new Error(`${file} has no interface ${name}`);
  return [...body.matchAll(/^ {4}(\w+)\??:/gm)].flatMap(([, field]) => (field === undefined ? [] : [field]));
}

/** @param isNamed whether a path of what was dropped is that of the field */
export function outcomeOf(
  understand: (body: Body) => Understood,
  without: Body,
  asked: Body,
  isNamed: (path: string) => boolean,
): Outcome {
  const before = understand(without);
  try {
    const { given, dropped } = understand(asked);
    if (dropped.some((path) => isNamed(path) && !before.dropped.includes(path))) return 'reported';
    return JSON.stringify(given) === JSON.stringify(before.given) ? 'silent' : 'honoured';
  } catch (error) {
    if (error instanceof FerryError || error instanceof EngineFailure) return 'refused';
    throw error;
  }
}
