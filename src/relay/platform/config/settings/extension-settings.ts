/** What the relay serves beyond the public contract (docs/reference/extensions.md). */
import { z } from 'zod';
import { extensionNames, extensionWords, isExtensionName } from '../../../../kernel/extension.js';
import type { Setting } from '../../../../kernel/settings/setting.js';
import { setting } from './setting.js';

const extensionList = z.string().superRefine((list, context) => {
  for (const word of extensionWords(list)) {
    if (isExtensionName(word)) continue;
    const known = extensionNames.join(', ');
    context.addIssue({ code: 'custom', message: `"${word}" is no extension; these are: ${known}` });
  }
});

export const extensionSettings = {
  extensions: setting(
    'FERRY_EXTENSIONS',
    extensionList,
    '',
    'Extensions of the public API (comma-separated) for accounts whose owner has switched them neither on nor off. Empty: the public API is exactly the contract.',
  ),
} as const satisfies Record<string, Setting<unknown>>;
