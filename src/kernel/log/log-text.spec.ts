import { describe, expect, it } from '@jest/globals';
import { logDestination } from './log-destination.js';
import { parseLogLine } from './log-record.js';
import { logText } from './log-text.js';

const at = new Date(2026, 10, 23, 14, 2, 31).getTime();
const plain = { colors: false };
const text = (line: object | string, form: Parameters<typeof logText>[1] = plain): string =>
  logText(parseLogLine(typeof line === 'string' ? line : JSON.stringify(line)), form);

describe('a parsed log line', () => {
  it('a parsed log line is read alike from relay and node, which write levels and times in their own ways', () => {
    const ofRelay = { level: 'warn', time: new Date(at).toISOString(), msg: 'x' };
    const ofNode = { level: 40, time: at, msg: 'x' };
    expect(parseLogLine(JSON.stringify(ofRelay))).toEqual(parseLogLine(JSON.stringify(ofNode)));
  });

  it.each(['Error: boom', '{"level":30', '{"a":1}', '[1]', ''])(
    'keeps %j, which is not a line of pino, unchanged',
    (line) => {
      expect(parseLogLine(line)).toEqual({ timeMs: null, level: null, message: line, fields: {} });
    },
  );

  it('a parsed log line has no time or level when they are invalid', () => {
    expect(parseLogLine('{"level":35,"time":1e300,"msg":1}')).toEqual({
      timeMs: null,
      level: null,
      message: '',
      fields: {},
    });
  });
});

describe('the text of a line', () => {
  const lost = {
    level: 40,
    time: at,
    pid: 1,
    hostname: 'vm',
    name: 'ferry-node',
    ending: 'lost',
    detail: 'connect ECONNREFUSED',
    reconnect_in_ms: 1_234,
    msg: 'no connection to the relay',
  };

  it('the text of a line has time, level, part, message, and the fields that matter', () => {
    expect(text(lost, { ...plain, part: 'node' })).toBe(
      '2026-11-23 14:02:31 warn  node  no connection to the relay  ending=lost  detail="connect ECONNREFUSED"  reconnect_in=1.2s',
    );
  });

  it('omits the current date and the end of ids on a terminal', () => {
    const line = { level: 30, time: at, node: `nd_${'a'.repeat(32)}`, msg: 'node starts' };
    expect(text(line, { ...plain, nowMs: at + 1_000 })).toBe('14:02:31 info  node starts  node=nd_aaaaaaaaa…');
    expect(text(line, { ...plain, nowMs: at + 86_400_000 })).toMatch(/^2026-11-23 14:02:31 info/);
    expect(text(line)).toContain(`node=nd_${'a'.repeat(32)}`);
  });

  it('shows a request in one sentence, with its id where it can be explained', () => {
    const request = { level: 'info', time: at, req_id: 'req_1', method: 'GET', route: '/api/nodes', status: 200 };
    expect(text({ ...request, account: 'acc_1', bytes: 5, duration_ms: 12, msg: 'request' })).toMatch(
      /info {2}GET \/api\/nodes 200 in 12ms$/,
    );
    const routed = {
      ...request,
      method: 'POST',
      route: '/v1/responses',
      outcome: 'failed',
      status: 502,
      model: 'mdl_1',
    };
    expect(text({ ...routed, duration_ms: 1_200, msg: 'request' })).toMatch(
      /POST \/v1\/responses 502 failed in 1\.2s {2}model=mdl_1 {2}req_id=req_1$/,
    );
  });

  it('puts the stack of an error on separate lines', () => {
    const error = 'Error: boom\n    at one\n    at two';
    expect(text({ level: 50, time: at, error, msg: 'unexpected error' }).split('\n')).toEqual([
      '2026-11-23 14:02:31 error unexpected error: Error: boom',
      '    at one',
      '    at two',
    ]);
    expect(text({ level: 50, time: at, stack: error, msg: 'boom' }).split('\n').slice(1)).toEqual([
      '    at one',
      '    at two',
    ]);
  });

  it('colours the level alone', () => {
    const escape = String.fromCharCode(27);
    expect(text(lost, { colors: true })).toContain(`${escape}[33mwarn ${escape}[39m no connection`);
    expect(text({ ...lost, level: 30 }, { colors: true })).not.toContain(escape);
  });

  it('removes what could rewrite a terminal or forge a line', () => {
    const hostile = `a${String.fromCharCode(27)}[2Jb\r\n2026-11-23 14:02:31 info  forged`;
    for (const line of [
      { level: 30, time: at, msg: hostile, [hostile]: hostile, list: [hostile], o: { hostile } },
      hostile,
    ]) {
      expect(text(line)).not.toMatch(/[\u0000-\u001f]/);
    }
  });

  it('the text of a line is bounded, however long the line is', () => {
    const long = 'x'.repeat(1_000_000);
    expect(text({ level: 30, time: at, msg: long, field: long }).length).toBeLessThan(5_000);
    expect(text({ level: 50, time: at, stack: 'x\n'.repeat(10_000), msg: '' }).split('\n').length).toBeLessThan(50);
  });
});

describe('the destination of log lines', () => {
  const line = `${JSON.stringify({ level: 40, time: at, msg: 'careful' })}\n`;
  const written = (isTTY: boolean | undefined, env: Record<string, string> = {}): string => {
    let all = '';
    logDestination({ write: (chunk) => (all += chunk) }, { isTTY }, env).write(line);
    return all;
  };

  it('gets them unchanged without a terminal', () => {
    expect(written(undefined)).toBe(line);
    expect(written(false)).toBe(line);
  });

  it('gets text on a terminal, without colours when they are disabled', () => {
    expect(written(true, { NO_COLOR: '1' })).toMatch(/^(?:2026-11-23 )?14:02:31 warn {2}careful\n$/);
    expect(written(true, { TERM: 'dumb' })).toBe(written(true, { NO_COLOR: '1' }));
    expect(written(true)).toContain(String.fromCharCode(27));
  });
});
