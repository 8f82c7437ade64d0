/** As test/contract/no-false-success.spec.ts, for the official clients in Python. */
import { afterAll, describe } from '@jest/globals';
import type { ClientProgram } from '../support/client/client-program.js';
import { testNoFalseSuccess } from '../support/client/no-false-success.js';
import { pythonClient } from '../support/client/tier-one-clients.js';
import { environments, INSTALL_WITHIN_MS, startProgram } from './environments.js';

describe('of an engine that misbehaves', () => {
  const programs: ClientProgram[] = [];

  testNoFalseSuccess(async (relay) => {
    const clients = [];
    for (const environment of environments) {
      const program = await startProgram(environment, relay);
      programs.push(program);
      const [, major, , other] = environment.split('-');
      clients.push(pythonClient(`Python: \`openai\` ${major}, \`anthropic\` ${other}`, program));
    }
    // They load their packages with the first question.
    for (const { routes } of clients) await routes.chat?.(false);
    return clients;
  }, INSTALL_WITHIN_MS);

  afterAll(async () => {
    for (const program of programs) await program.stop();
  });
});
