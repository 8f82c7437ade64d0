import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';

const MODULE = new URL('./create-logger.ts', import.meta.url).href;
const LINE = '{"level":"info","msg":"request"}\n';

/** Runs a process that logs one line that may wait, and then ends as `end` says. @returns its stderr */
async function logged(end: string): Promise<string> {
  const script = `
    import { createLogger } from ${JSON.stringify(MODULE)};
    const log = createLogger('info');
    log.laterLines.write(${JSON.stringify(LINE)});
    ${end}`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return stderr;
}

describe('the log of a process', () => {
  it.each([
    ['that closes it', 'log.close(); process.kill(process.pid, "SIGKILL");'],
    ['that exits', 'process.exit(0);'],
    ['without work left', ''],
    ['that no code saves from an exception', 'throw new Error("uncaught");'],
    ['that is killed later than a line may wait', 'setTimeout(() => process.kill(process.pid, "SIGKILL"), 1000);'],
  ])(
    '%s has the lines that waited',
    async (_name, end) => {
      expect(await logged(end)).toContain(LINE);
    },
    60_000,
  );

  it('the log of a process has them before an urgent line', async () => {
    const stderr = await logged('log.logger.warn("urgent"); log.laterLines.write("last");');
    expect(stderr.indexOf(LINE)).toBe(0);
    expect(stderr.indexOf('urgent')).toBeGreaterThan(0);
    expect(stderr.indexOf('last')).toBeGreaterThan(stderr.indexOf('urgent'));
  }, 60_000);
});
