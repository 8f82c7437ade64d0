/**
 * Ends every run with the one plain line that scripts and people look for; skipped tests are named, never counted as passed. Tells the
 * program that started Jest (scripts/test.mjs) of each spec file, as messages of a child process.
 */
export default class RunReporter {
  onRunStart(results) {
    process.send?.({ kind: 'start', files: results.numTotalTestSuites });
  }

  onTestFileResult(test, result) {
    const failed = result.failureMessage ?? '';
    process.send?.({ kind: 'file', file: test.path, ms: result.perfStats.runtime, ...(failed && { failed }) });
  }

  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    process.send?.({ kind: 'end', passed: results.numPassedTests, failed, skipped });
    process.stdout.write(
      `\n${results.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
    );
  }
}
