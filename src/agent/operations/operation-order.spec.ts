import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { installOf, loadOf } from '../../../test/support/agent/operations.harness.js';
import { subjectOf } from './operation-command.js';
import { OperationJob } from './operation-job.js';
import { MAX_RUNNING_INSTALLS, MAX_RUNNING_OPERATIONS, mayBegin } from './operation-order.js';

const installs = (jobs: readonly OperationJob[]): number =>
  jobs.filter(({ command }) => command.verb === 'install').length;
const subjects = (jobs: readonly OperationJob[]): Set<string> => new Set(jobs.map(({ command }) => subjectOf(command)));

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
        let jobs: OperationJob[] = [];
        steps.forEach((step, number) => {
          const running = jobs.filter(({ state }) => state === 'running');
          if ('end' in step) jobs = jobs.filter((job) => job !== running[step.end]);
          else
            jobs.push(
              new OperationJob(
                step.install ? installOf(number, `s${step.subject}`) : loadOf(number, `m${step.subject}`),
                false,
              ),
            );
          const atWork = jobs.filter(({ state }) => state === 'running');
          for (const job of mayBegin(jobs, atWork)) job.state = 'running';

          const now = jobs.filter(({ state }) => state === 'running');
          expect(now.length).toBeLessThanOrEqual(MAX_RUNNING_OPERATIONS);
          expect(installs(now)).toBeLessThanOrEqual(MAX_RUNNING_INSTALLS);
          expect(subjects(now).size).toBe(now.length);
          jobs.forEach((job, index) => {
            if (job.state === 'running') return;
            const full =
              now.length === MAX_RUNNING_OPERATIONS ||
              (job.command.verb === 'install' && installs(now) === MAX_RUNNING_INSTALLS);
            const earlier = jobs.slice(0, index);
            expect(full || subjects([...now, ...earlier]).has(subjectOf(job.command))).toBe(true);
          });
        });
      }),
      { numRuns: 300 },
    );
  });
});
