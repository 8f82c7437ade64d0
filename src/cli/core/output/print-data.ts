import { inJsonForm } from './json-form.js';
import type { Invocation } from '../../invocation.js';

/**
 * Prints the result of a command on stdout: as one JSON or YAML document, or as text for people.
 * @param forPeople prints the text; anything other than the data goes to stderr
 */
export async function printData(
  { terminal, global }: Pick<Invocation, 'terminal' | 'global'>,
  data: object,
  forPeople: () => void,
): Promise<void> {
  switch (global.output) {
    case 'json':
      terminal.print(JSON.stringify(inJsonForm(data)));
      return;
    case 'yaml': {
      const { stringify } = await import('yaml');
      terminal.print(stringify(inJsonForm(data), { lineWidth: 0 }).trimEnd());
      return;
    }
    case 'table':
      forPeople();
      return;
    default:
      global.output satisfies never;
  }
}

/** For commands whose text for people is on stderr already. */
export const silently = (): void => undefined;
