import type { Invocation } from '../../invocation.js';

/**
 * What a command has to say on stdout: one document for programs, and in its own way for people.
 * @param forPeople prints it; whatever it prints besides the data belongs on stderr
 */
export async function printData(
  { terminal, global }: Pick<Invocation, 'terminal' | 'global'>,
  data: object,
  forPeople: () => void,
): Promise<void> {
  switch (global.output) {
    case 'json':
      terminal.print(JSON.stringify(data));
      return;
    case 'yaml': {
      const { stringify } = await import('yaml');
      terminal.print(stringify(data, { lineWidth: 0 }).trimEnd());
      return;
    }
    case 'table':
      forPeople();
      return;
    default:
      global.output satisfies never;
  }
}

/** Nothing for people beyond what the command has said on stderr already. */
export const silently = (): void => undefined;
