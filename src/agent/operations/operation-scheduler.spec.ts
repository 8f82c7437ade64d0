import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { installOf, loadOf } from '../../../test/support/agent/operations.harness.js';
import { subjectOf } from './operation-command.js';
import { NodeOperation } from './node-operation.js';
import { MAX_RUNNING_INSTALLS, MAX_RUNNING_OPERATIONS, startable } from './operation-scheduler.js';

const installs = (operations: readonly NodeOperation[]): number =>
  operations.filter(({ command }) => command.verb === 'install').length;
const subjects = (operations: readonly NodeOperation[]): Set<string> =>
  new Set(operations.map(({ command }) => subjectOf(command)));

/** Jobs as they come, each started as soon as it may be and ended when the test likes. */
const history = fc.array(
  fc.oneof(
    fc.record({ install: fc.boolean(), subject: fc.integer({ min: 0, max: 12 }) }),
    fc.record({ end: fc.integer({ min: 0, max: 40 }) }),
  ),
  { maxLength: 60 },
);

describe('the start order of operations', () => {
  it('respects the limits, never runs two of one subject, and starts every runnable one', () => {
    fc.assert(
      fc.property(history, (steps) => {
        let operations: NodeOperation[] = [];
        steps.forEach((step, number) => {
          const running = operations.filter(({ state }) => state === 'running');
          if ('end' in step) operations = operations.filter((operation) => operation !== running[step.end]);
          else
            operations.push(
              new NodeOperation(
                step.install ? installOf(number, `s${step.subject}`) : loadOf(number, `m${step.subject}`),
                false,
              ),
            );
          const active = operations.filter(({ state }) => state === 'running');
          for (const operation of startable(operations, active)) operation.state = 'running';

          const now = operations.filter(({ state }) => state === 'running');
          expect(now.length).toBeLessThanOrEqual(MAX_RUNNING_OPERATIONS);
          expect(installs(now)).toBeLessThanOrEqual(MAX_RUNNING_INSTALLS);
          expect(subjects(now).size).toBe(now.length);
          operations.forEach((operation, index) => {
            if (operation.state === 'running') return;
            const full =
              now.length === MAX_RUNNING_OPERATIONS ||
              (operation.command.verb === 'install' && installs(now) === MAX_RUNNING_INSTALLS);
            const earlier = operations.slice(0, index);
            expect(full || subjects([...now, ...earlier]).has(subjectOf(operation.command))).toBe(true);
          });
        });
      }),
      { numRuns: 300 },
    );
  });
});
