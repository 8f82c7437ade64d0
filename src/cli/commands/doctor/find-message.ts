/** Finds the meaning of a client's message by its own words, else by the error code in it. */
import { errorCatalogue, type ErrorDefinition } from '../../../kernel/errors/error-catalogue.js';
import { causes, clientMessages, type ClientMessage } from './client-messages.js';

export interface MessageMeaning {
  /** Empty where only an error code was recognized. */
  readonly clients: readonly string[];
  readonly meaning: string;
  readonly remedy: string;
}

/** Undefined for a message that no known client shows. @param message as it was copied: with a prefix, line ends, quotes */
export function meaningOf(message: string): MessageMeaning | undefined {
  const text = flat(message);
  const found = clientMessages.filter((known) => patternOf(known).test(text));
  const longest = Math.max(0, ...found.map((known) => known.text.length));
  const best = found.filter((known) => known.text.length === longest);
  const [first] = best;
  if (first === undefined) return byCode(text);
  return { clients: best.map(({ client }) => client), ...causes[first.cause] };
}

const flat = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

/** The words at the end of the text, unless more may follow: a client that adds the relay's words says something else with them. */
function patternOf({ text }: ClientMessage): RegExp {
  const open = text.endsWith('…');
  const parts = flat(text)
    .split('…')
    .filter((part) => part !== '');
  const words = parts.map((part) => part.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('.*?');
  const first = /^\w/.test(text) ? String.raw`(?:^|[^\w])` : '';
  return new RegExp(`${first}${words}${open ? '' : String.raw`[\s"'\`.)\]]*$`}`, 'i');
}

function byCode(text: string): MessageMeaning | undefined {
  const codes: readonly [string, ErrorDefinition][] = Object.entries(errorCatalogue);
  const found = codes.find(
    ([code, { plainText }]) => hasWord(text, code) || (plainText !== undefined && hasWord(text, plainText)),
  );
  if (found === undefined) return undefined;
  const [code, { status, meaning, remedy }] = found;
  return { clients: [], meaning: `Ferry answered ${String(status)} \`${code}\`: ${meaning}`, remedy };
}

const hasWord = (text: string, word: string): boolean => new RegExp(String.raw`(?:^|\W)${word}(?:\W|$)`).test(text);
