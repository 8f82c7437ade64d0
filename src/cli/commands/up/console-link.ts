import type { ManagementApi } from '../../core/api/management-api.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { CliError } from '../../core/errors/cli-error.js';

/** A new one-time sign-in link of the website. @returns null when a browser cannot sign in there, or the relay does not respond */
export async function consoleLink(api: ManagementApi): Promise<string | null> {
  try {
    return (await api.post<Schemas['ConsoleLink']>('/api/local/console-link', {})).url;
  } catch (error) {
    // A missing link must not fail the start: Ferry works without the website.
    if (error instanceof CliError) return null;
    throw error;
  }
}
