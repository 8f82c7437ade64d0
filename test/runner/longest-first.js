/**
 * Jest's `testSequencer`: the longest spec files first, so that no worker ends a run with one of them while the others wait. Jest knows how
 * long a file took in an earlier run; for a fresh clone these are named. Seconds on two cores.
 */
import Sequencer from '@jest/test-sequencer';
import path from 'node:path';

const seconds = {
  'e2e/quickstart': 70,
  'browser/wide-screens': 50,
  'browser/narrow-screens': 50,
  'browser/long-request-log': 50,
  'browser/access': 45,
  'e2e/this-computer': 45,
  'e2e/accounts': 45,
  'browser/computers-and-keys': 45,
  'browser/hostile-names': 40,
  'e2e/cli-terminal': 40,
  'e2e/readme-snippets': 40,
  'e2e/durability': 35,
  'e2e/backup': 35,
  'e2e/sign-up': 30,
  'e2e/operations': 25,
  'e2e/first-hour': 25,
  'e2e/engine-loss': 25,
  'e2e/backup-in-use': 25,
  'llamacpp/llamacpp-limits': 25,
  'test/engines/built-in': 20,
  'backup/running-database': 20,
  'unit/routing-simulator': 20,
};

const expectedSeconds = (test) => {
  if (test.duration !== undefined) return test.duration / 1_000;
  const file = test.path
    .split(path.sep)
    .join('/')
    .replace(/\.spec\.ts$/, '');
  return Object.entries(seconds).find(([name]) => file.endsWith(`/${name}`))?.[1] ?? 0;
};

export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => expectedSeconds(b) - expectedSeconds(a));
  }
}
