/**
 * Jest's `testSequencer`: the longest spec files first, so that no worker ends a run with one of them while the others wait. Jest knows how
 * long a file took in an earlier run; for a fresh clone these are named. Seconds on two cores.
 */
import Sequencer from '@jest/test-sequencer';
import path from 'node:path';

export const seconds = {
  'e2e/quickstart': 80,
  'screens/narrow-screens': 80,
  'screens/wide-screens': 80,
  'e2e/this-computer': 70,
  'screens/long-request-log': 65,
  'e2e/accounts': 55,
  'e2e/readme-snippets': 55,
  'browser/computers-and-keys': 50,
  'browser/access': 50,
  'e2e/first-week': 45,
  'e2e/cli-terminal': 40,
  'llamacpp/llamacpp-limits': 40,
  'e2e/backup': 40,
  'e2e/engine-loss': 40,
  'e2e/first-hour': 35,
  'browser/hostile-names': 35,
  'browser/first-load': 35,
  'e2e/durability': 35,
  'e2e/backup-in-use': 35,
  'e2e/node-health': 35,
  'database/serving-pool': 30,
  'contract/engine-forms': 30,
  'e2e/run-and-watch': 25,
  'e2e/connect': 25,
  'e2e/operations': 25,
  'e2e/sign-up': 25,
  'unit/credential-matrix': 25,
  'backup/running-database': 25,
  'screens/long-lists': 25,
  'e2e/metering-under-aborts': 25,
  'e2e/inventory': 25,
  'browser/chat': 25,
  'contract/engine-misbehaviour': 25,
  'contract/engine-ends': 25,
  'e2e/suspend': 20,
  'e2e/frozen-database': 20,
  'engines/built-in': 20,
  'backup/backup': 20,
  'app/reset-password': 20,
  'models-folder/model-operations': 20,
  'e2e/metering': 20,
  'contract/failed-streams': 20,
  'unit/openapi-management': 20,
  'unit/tenant-matrix': 20,
  'e2e/responses': 15,
  'ollama/ollama-runners': 15,
  'e2e/overload': 15,
  'e2e/openapi-examples': 15,
  'browser/session-security': 15,
  'unit/routing-simulator': 15,
  'unit/doctor': 15,
  'e2e/request-log': 15,
  'contract/no-false-success': 15,
  'contract/attempts': 15,
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
