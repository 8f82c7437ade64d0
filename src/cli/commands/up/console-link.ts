import type { ManagementApi } from '../../core/api/management-api.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { CliError } from '../../core/errors/cli-error.js';

/** A new one-time link of the website. @returns null when there is none: a browser cannot sign in there, or the relay does not answer */
export async function consoleLink(api: ManagementApi): Promise<string | null> {
  try {
    return (await api.post<Schemas['ConsoleLink']>('/api/local/console-link', {})).url;
  } catch (error) {
    // Ferry is ready without the website: a missing link must not fail the start.
    if (error instanceof CliError) return null;
    throw error;
  }
}
