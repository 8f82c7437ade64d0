/** The layers of `eslint.layers.mjs` are enforced by lint (docs/reference/data.md#layers): a forbidden import is an error. */
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

const root = path.resolve(import.meta.dirname, '../..');
// The rules need only imports; without type information the spec takes seconds instead of half a minute.
const eslint = new ESLint({ cwd: root, overrideConfig: [tseslint.configs.disableTypeChecked] });

/** Lints `code` as if it were in `file`. */
const rulesBrokenBy = async (code: string, file: string): Promise<string[]> => {
  const [result] = await eslint.lintText(code, { filePath: path.join(root, file) });
  return result!.messages.map((message) => message.ruleId ?? message.message);
};

describe('layers', () => {
  it.each([
    ['the kernel importing the link', "export * from '../link/transport.js';", 'src/kernel/clock.ts'],
    ['the link importing the agent', "export * from '../agent/engines/engine.js';", 'src/link/transport.ts'],
    ['the agent importing the relay', "export * from '../relay/main.js';", 'src/agent/main.ts'],
    ['the relay importing the agent', "export * from '../agent/main.js';", 'src/relay/main.ts'],
    [
      'the platform importing a feature',
      "export * from '../../keys/keys.module.js';",
      'src/relay/platform/config/relay-settings.ts',
    ],
    [
      'the accounts importing the clusters',
      "export * from '../clusters/clusters.module.js';",
      'src/relay/accounts/accounts.module.ts',
    ],
    [
      'the inventory importing routing',
      "export * from '../routing/routing.module.js';",
      'src/relay/inventory/inventory.module.ts',
    ],
  ])('refuses %s', async (_name, code, file) => {
    expect(await rulesBrokenBy(code, file)).toContain('boundaries/dependencies');
  });

  it('allows an import from a lower layer', async () => {
    expect(await rulesBrokenBy("export * from '../kernel/clock.js';\n", 'src/link/transport.ts')).toEqual([]);
  });

  it('keeps Nest out of the agent', async () => {
    expect(await rulesBrokenBy("export * from '@nestjs/common';\n", 'src/agent/main.ts')).toContain(
      'no-restricted-imports',
    );
  });

  it('keeps repositories inside stores', async () => {
    const code = "export { InjectRepository } from '@nestjs/typeorm';\n";
    expect(await rulesBrokenBy(code, 'src/relay/keys/keys.module.ts')).toContain('no-restricted-imports');
  });
});
