import { expect, it } from '@jest/globals';
import { inOwnCommands } from './own-commands.js';

it.each([
  ['try: ferry up, or ferry node run', 'try: ferry-node run'],
  ['try: ferry node run (or ferry up)', 'try: ferry-node run'],
  ['why: ferry service logs node', 'why: ferry-node service logs'],
  ['What to do: ferry node doctor', 'What to do: ferry-node doctor'],
  ['try: ferry doctor', 'try: ferry-node doctor'],
  [
    'ferry nodes join-token, then here: ferry node join <token>',
    'ferry nodes join-token, then here: ferry-node join <token>',
  ],
  // On the computer that is signed in.
  ['ferry nodes approve BCDF-GHJK', 'ferry nodes approve BCDF-GHJK'],
])('ferry-node says %j as %j', (text, own) => {
  expect(inOwnCommands(text)).toBe(own);
});
