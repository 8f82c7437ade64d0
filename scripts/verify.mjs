/**
 * `npm run verify`: everything that must be true of a change, in the order in which it fails fastest. Checks that need nothing of each
 * other run two at a time, since none of them knows more than one core.
 * `FERRY_VERIFY_ONLY=unit,e2e` runs just these steps, on whichever Node runs this file.
 * Ends with one line, `N passed, N failed`, added up over the test runs.
 */
import { closingLine, readClosingLine } from './closing-line.mjs';
import { install, needsInstall } from './install.mjs';
import { findChromium } from '../test/support/browser/chromium.mjs';
import { findNpm, passSignalsOn, run, step, StepError } from './run.mjs';

/** More output than this of one run is not kept: only its end is read. */
const KEPT_CHARACTERS = 100_000;
const CHECKS_AT_ONCE = 2;

const totals = { passed: 0, failed: 0, skipped: 0 };

/** Its output is printed as a whole after its end, because other steps print at the same time. */
const check = (script) => async (name) => {
  let text = '';
  const output = (piece) => (text += piece);
  const outcome = await run([findNpm(), 'run', '--silent', script], { name, output }).catch((error) => error);
  process.stderr.write(`\n== ${name}\n${text}`);
  if (outcome !== undefined) throw outcome;
};

const tests = (script) => async (name) => {
  process.stderr.write(`\n== ${name}\n`);
  let end = '';
  const output = (text) => {
    process.stdout.write(text);
    end = (end + text).slice(-KEPT_CHARACTERS);
  };
  const outcome = await run([findNpm(), 'run', '--silent', script], { name, output }).catch((error) => error);
  const counts = readClosingLine(end);
  for (const key of Object.keys(totals)) totals[key] += counts?.[key] ?? 0;
  if (counts === undefined) throw new StepError(`${name} ended without its closing line`);
  if (outcome !== undefined) throw outcome;
};

/** Stage after stage; the steps of a stage, the longest first, beside each other. */
const stages = [
  { install: () => (needsInstall() ? install() : undefined) },
  {
    lint: check('lint'),
    build: check('build'),
    format: check('format:check'),
    typecheck: check('typecheck'),
    cycles: check('check:cycles'),
    unused: check('check:unused'),
    openapi: check('lint:openapi'),
  },
  { unit: tests('test:unit') },
  { e2e: tests('test:e2e') },
  { alone: tests('test:alone') },
  { contract: tests('test:contract') },
  { 'fast-path-off': tests('test:fast-path-off') },
  { browser: tests('test:browser') },
  { faults: tests('test:faults') },
  { cluster: tests('test:cluster') },
  { proxies: tests('test:proxies') },
  { helm: tests('test:helm') },
  { agents: tests('test:agents') },
];

/** Every step of a stage is run even if one fails, so that all problems are reported at once. */
async function runStage(steps) {
  const waiting = [...steps];
  const failures = [];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, work] = next;
      await step(name, () => work(name)).catch((error) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, worker));
  const unexpected = failures.find((error) => !(error instanceof StepError));
  if (unexpected !== undefined) throw unexpected;
  if (failures.length > 0) throw new StepError(failures.map(({ message }) => message).join(', '));
}

/**
 * Long suites, run by name only: `FERRY_VERIFY_ONLY=faults npm run verify`. `cluster` needs `nats-server`, `proxies` needs nginx, HAProxy and
 * Caddy, `helm` needs Go, and `agents` downloads 1 GB of foreign programs.
 */
const onRequest = ['faults', 'cluster', 'proxies', 'helm', 'agents'];
const known = stages.flatMap(Object.keys);
const hasChromium = findChromium() !== undefined;
const byDefault = known.filter((name) => !onRequest.includes(name) && (name !== 'browser' || hasChromium));
const wanted = (process.env.FERRY_VERIFY_ONLY || byDefault.join(',')).split(',').map((name) => name.trim());
passSignalsOn();
try {
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new StepError(`there is no step "${unknown}": ${known.join(', ')}`);
  for (const stage of stages) await runStage(Object.entries(stage).filter(([name]) => wanted.includes(name)));
} catch (error) {
  process.stderr.write(`\nFAILED: ${error instanceof StepError ? error.message : error.stack}\n`);
  // A step that is no test run, or a run that broke before it could count: that is a failure too.
  totals.failed = Math.max(totals.failed, 1);
}
for (const name of onRequest.filter((candidate) => !wanted.includes(candidate))) {
  process.stdout.write(`\nNOT RUN: the suite "${name}". Run it with: FERRY_VERIFY_ONLY=${name} npm run verify\n`);
}
if (!hasChromium && !wanted.includes('browser')) {
  process.stdout.write(
    `\nNOT RUN: the suite "browser". It needs Chromium: apt-get install chromium, or FERRY_TEST_CHROMIUM\n`,
  );
}
process.stdout.write(`\n${closingLine(totals)}\n`);
process.exitCode = totals.failed > 0 ? 1 : 0;
