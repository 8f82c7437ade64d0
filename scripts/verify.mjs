/**
 * `npm run verify`: everything that must be true of a change, in the order in which it fails fastest.
 * `FERRY_VERIFY_ONLY=unit,e2e` runs just these steps, on whichever Node runs this file.
 * Ends with one line, `N passed, N failed`, added up over the test runs.
 */
import { closingLine, readClosingLine } from './closing-line.mjs';
import { install, needsInstall } from './install.mjs';
import { findNpm, passSignalsOn, run, step, StepError } from './run.mjs';

/** More output than this of one run is not kept: only its end is read. */
const KEPT_CHARACTERS = 100_000;

const script = (name) => () => run([findNpm(), 'run', '--silent', name], { name, output: 'inherit' });

const totals = { passed: 0, failed: 0, skipped: 0 };

const tests = (name) => async () => {
  let end = '';
  const output = (text) => {
    process.stdout.write(text);
    end = (end + text).slice(-KEPT_CHARACTERS);
  };
  const outcome = await run([findNpm(), 'run', '--silent', name], { name, output }).catch((error) => error);
  const counts = readClosingLine(end);
  for (const key of Object.keys(totals)) totals[key] += counts?.[key] ?? 0;
  if (counts === undefined) throw new StepError(`${name} ended without its closing line`);
  if (outcome !== undefined) throw outcome;
};

const steps = {
  install: () => (needsInstall() ? install() : undefined),
  lint: script('lint'),
  format: script('format:check'),
  typecheck: script('typecheck'),
  cycles: script('check:cycles'),
  unused: script('check:unused'),
  openapi: script('lint:openapi'),
  build: script('build'),
  unit: tests('test:unit'),
  e2e: tests('test:e2e'),
  contract: tests('test:contract'),
  faults: tests('test:faults'),
};

/** Takes minutes: run by name, `FERRY_VERIFY_ONLY=faults npm run verify`. */
const onRequest = ['faults'];
const byDefault = Object.keys(steps).filter((name) => !onRequest.includes(name));
const wanted = (process.env.FERRY_VERIFY_ONLY || byDefault.join(',')).split(',').map((name) => name.trim());
passSignalsOn();
try {
  for (const name of wanted) {
    if (steps[name] === undefined) throw new StepError(`there is no step "${name}": ${Object.keys(steps).join(', ')}`);
    process.stderr.write(`\n== ${name}\n`);
    await step(name, steps[name]);
  }
} catch (error) {
  process.stderr.write(`\nFAILED: ${error instanceof StepError ? error.message : error.stack}\n`);
  // A step that is no test run, or a run that broke before it could count: that is a failure too.
  totals.failed = Math.max(totals.failed, 1);
}
process.stdout.write(`\n${closingLine(totals)}\n`);
process.exitCode = totals.failed > 0 ? 1 : 0;
