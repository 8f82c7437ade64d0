/**
 * Ends every run with its closing line, and tells the program that started Jest (scripts/test.mjs) of each spec file, as messages of a
 * child process.
 */
import { closingLine } from '../../scripts/closing-line.mjs';

export default class RunReporter {
  onRunStart(results) {
    process.send?.({ kind: 'start', files: results.numTotalTestSuites });
  }

  onTestFileResult(test, result) {
    const failed = result.failureMessage ?? '';
    const suite = test.context.config.displayName.name;
    const passed = result.numPassingTests;
    process.send?.({ kind: 'file', file: test.path, suite, passed, ...(failed && { failed }) });
  }

  onRunComplete(_contexts, results) {
    const counts = {
      passed: results.numPassedTests,
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    process.send?.({ kind: 'end', ...counts });
    process.stdout.write(`\n${closingLine(counts)}\n`);
  }
}
