// Own processes: `ferry up` and what follows it, in a terminal.
/** The first hour of a new user, in real terminals, as docs/guide/first-hour.md records it; this checkout stands for the clone. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { FirstHour, type Scene } from '../../scripts/first-hour/first-hour.js';
import { TerminalWindow } from '../../scripts/first-hour/terminal-window.js';
import { networkAddresses } from '../../src/kernel/network-addresses.js';
import { repositoryRoot } from '../support/process/ferry-process.js';

const isPossible = process.platform === 'linux' && TerminalWindow.areThere() && networkAddresses().length > 0;

// Needs Linux (systemd), tmux, and a network address besides loopback.
(isPossible ? describe : describe.skip)('the first hour', () => {
  let scenes: readonly Scene[];

  beforeAll(async () => {
    scenes = (await FirstHour.record({ checkout: repositoryRoot, repository: repositoryRoot })) ?? [];
  }, 240_000);

  it.each([
    ['From a clone to an address', /OpenAI clients +http:\/\/\S+:8787\/v1/],
    ['The first answer', /data: \[DONE\]$/],
    ['What is there', /gemma3:4b .*installed/],
    ['A model in one line', /Hello! How can I help you today\?/],
    ['A line for the second computer', /install\.sh \| sh -s -- --token/],
    ['On the second computer', /Joined http:\/\/192\.0\.2\.7:8787/],
    ['Both computers', /-2\b/],
    ['Watching', /2 of 2 online/],
    ['A coding agent', /model_providers\.ferry/],
    ['A second person', /#ferry-inv-…/],
    ['As that person', /^Role +member$/m],
    ['With the computer', /^WantedBy=default\.target$/m],
  ])('%s', (title, wanted) => {
    expect(scenes.find((scene) => scene.title === title)?.screen).toMatch(wanted);
  });

  it('shows no secret', () => {
    const shown = scenes.map(({ screen }) => screen.replaceAll('\n', '')).join('\n');
    expect(shown).not.toMatch(/(sk-ferry-|ferry-join-|ferry-inv-)[\w-]/);
  });
});
