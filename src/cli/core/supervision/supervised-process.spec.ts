import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { SupervisedProcess, type SupervisionPolicy } from './supervised-process.js';

/** A fake child process: records received messages, and emits the events of a process. */
class FakeChild extends EventEmitter {
  readonly pid = 4_711;
  connected = true;
  readonly received: unknown[] = [];
  readonly killedBy: string[] = [];

  send(message: unknown): boolean {
    this.received.push(message);
    return true;
  }

  kill(signal: string): boolean {
    this.killedBy.push(signal);
    if (signal === 'SIGKILL') this.die(null, signal);
    return true;
  }

  ready(facts: object = {}): void {
    this.emit('message', { kind: 'ready', facts });
  }

  die(code: number | null, signal: string | null = null): void {
    this.connected = false;
    this.emit('exit', code, signal);
    this.emit('close', code, signal);
  }
}

const policy: SupervisionPolicy = {
  restart: { baseMs: 1_000, maxMs: 8_000 },
  stableAfterMs: 30_000,
  start: { readyWithinMs: 600_000, stalledAfterMs: 60_000 },
};

const supervise = () => {
  const children: FakeChild[] = [];
  const events: string[] = [];
  const clock = new ManualClock();
  const used = { cpuMs: 0 };
  const supervised = new SupervisedProcess({
    name: 'node',
    logFile: '/data/logs/node.log',
    spawn: () => {
      const child = new FakeChild();
      children.push(child);
      return child as unknown as ChildProcess;
    },
    listener: {
      ready: (facts) => events.push(`ready ${JSON.stringify(facts)}`),
      slow: (seconds, step) => events.push(`still starting after ${seconds} s: ${step}`),
      died: (how, restartInMs) =>
        events.push(`${how}; ${restartInMs === undefined ? 'stays down' : `back in ${restartInMs}`}`),
    },
    clock,
    // The longest delay that full jitter may choose.
    random: () => 1,
    cpuMs: () => used.cpuMs,
    policy,
  });
  const pass = (ms: number): void => {
    clock.advance(ms);
    jest.advanceTimersByTime(ms);
  };
  const last = (): FakeChild => children.at(-1)!;
  return { supervised, children, events, clock, used, pass, last };
};

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a supervised process', () => {
  it('a supervised process is started once, and reports readiness', async () => {
    const { supervised, children, events, last } = supervise();
    const started = supervised.start();
    last().ready({ port: 8787 });
    expect(await started).toEqual({ port: 8787 });
    expect(children).toHaveLength(1);
    expect(events).toEqual(['ready {"port":8787}']);
  });

  it('a supervised process is restarted after a kill', async () => {
    const { supervised, children, events, pass, last } = supervise();
    const started = supervised.start();
    last().ready();
    await started;
    last().die(null, 'SIGKILL');
    expect(events.at(-1)).toBe('was ended by SIGKILL; back in 1000');
    pass(999);
    expect(children).toHaveLength(1);
    pass(1);
    expect(children).toHaveLength(2);
    last().ready();
    expect(events.at(-1)).toBe('ready {}');
  });

  it('a supervised process is restarted after exit code 0', async () => {
    const { supervised, children, pass, last } = supervise();
    const started = supervised.start();
    last().ready();
    await started;
    last().die(0);
    pass(1_000);
    expect(children).toHaveLength(2);
  });

  it('backs off up to a limit while it exits early, and resets once stable', async () => {
    const { supervised, events, pass, last } = supervise();
    const started = supervised.start();
    last().ready();
    await started;
    const delays: string[] = [];
    const dieAfter = (uptimeMs: number): void => {
      pass(uptimeMs);
      last().die(1);
      delays.push(events.at(-1)!);
      pass(8_000);
      last().ready();
    };
    for (let death = 0; death < 5; death += 1) dieAfter(10);
    dieAfter(policy.stableAfterMs);
    expect(delays.map((text) => Number(/\d+$/.exec(text)![0]))).toEqual([1_000, 2_000, 4_000, 8_000, 8_000, 1_000]);
  });

  it('fails to start with its own message when it exits before readiness', async () => {
    const { supervised, children, pass, last } = supervise();
    const started = supervised.start();
    last().emit('message', { kind: 'failed', code: 'port_in_use', message: 'port 1 is in use', hint: 'take another' });
    last().die(1);
    await expect(started).rejects.toMatchObject({
      code: 'port_in_use',
      message: 'port 1 is in use',
      hint: 'take another',
      exitCode: 1,
    });
    pass(60_000);
    expect(children).toHaveLength(1);
  });

  it('fails to start with its exit status when it had no message', async () => {
    const { supervised, last } = supervise();
    const started = supervised.start();
    last().die(1);
    await expect(started).rejects.toMatchObject({
      code: 'start_failed',
      message: 'the node ended with code 1 before it was ready',
      hint: 'its log says why: /data/logs/node.log',
    });
  });

  it('accepts a message that arrives after the exit', async () => {
    const { supervised, last } = supervise();
    const started = supervised.start();
    last().emit('exit', 1, null);
    last().emit('message', { kind: 'failed', code: 'failure', message: 'no disk', hint: null });
    last().emit('close', 1, null);
    await expect(started).rejects.toMatchObject({ message: 'no disk' });
  });

  /** Both clocks in small steps, as they pass. */
  const workFor = (
    { used, pass }: Pick<ReturnType<typeof supervise>, 'used' | 'pass'>,
    ms: number,
    share: number,
  ): void => {
    for (let passed = 0; passed < ms; passed += 5_000) {
      used.cpuMs += share * 5_000;
      pass(5_000);
    }
  };

  it('a supervised process is killed when it does nothing in its start', async () => {
    const scene = supervise();
    const started = scene.supervised.start();
    workFor(scene, 55_000, 0.001);
    expect(scene.last().killedBy).toEqual([]);
    workFor(scene, 5_000, 0.001);
    expect(scene.last().killedBy).toEqual(['SIGKILL']);
    await expect(started).rejects.toMatchObject({ code: 'start_failed' });
  });

  it('a supervised process is waited for as long as it works in its start, which is said', async () => {
    const scene = supervise();
    const started = scene.supervised.start();
    scene.last().emit('message', { kind: 'starting', step: 'making its database' });
    workFor(scene, 300_000, 0.02);
    expect(scene.last().killedBy).toEqual([]);
    expect(scene.events).toEqual(
      [30, 60, 120, 240].map((seconds) => `still starting after ${seconds} s: making its database`),
    );
    scene.last().ready();
    await started;
    workFor(scene, 1_200_000, 0);
    expect(scene.last().killedBy).toEqual([]);
  });

  it('a supervised process is waited for anew with each step that it reports, also where the system does not tell its CPU time', async () => {
    const scene = supervise();
    const started = scene.supervised.start();
    workFor(scene, 50_000, NaN);
    scene.last().emit('message', { kind: 'starting', step: 'opening its database' });
    workFor(scene, 50_000, NaN);
    expect(scene.last().killedBy).toEqual([]);
    workFor(scene, 10_000, NaN);
    expect(scene.last().killedBy).toEqual(['SIGKILL']);
    await expect(started).rejects.toMatchObject({ code: 'start_failed' });
  });

  it('a supervised process is not killed because its supervisor was suspended', async () => {
    const { supervised, clock, pass, last } = supervise();
    const started = supervised.start();
    pass(5_000);
    clock.advance(120_000);
    pass(5_000);
    expect(last().killedBy).toEqual([]);
    last().ready();
    await started;
  });

  it('a supervised process has a limit for its start, also while it works', async () => {
    const scene = supervise();
    const started = scene.supervised.start();
    workFor(scene, policy.start.readyWithinMs, 1);
    expect(scene.last().killedBy).toEqual(['SIGKILL']);
    await expect(started).rejects.toMatchObject({ code: 'start_failed' });
  });

  it('retries a hanging restart', async () => {
    const { supervised, children, pass, last } = supervise();
    const started = supervised.start();
    last().ready();
    await started;
    last().die(1);
    pass(1_000);
    for (let passed = 0; passed < policy.start.stalledAfterMs; passed += 5_000) pass(5_000);
    expect(children[1]!.killedBy).toEqual(['SIGKILL']);
    pass(8_000);
    expect(children).toHaveLength(3);
  });

  it('a supervised process is not restarted after exit code 4', async () => {
    const { supervised, children, events, pass, last } = supervise();
    const started = supervised.start();
    last().ready();
    await started;
    last().die(4);
    expect(events.at(-1)).toBe('ended with code 4; stays down');
    pass(600_000);
    expect(children).toHaveLength(1);
    await supervised.stop(1_000);
  });

  it('a supervised process is asked to stop, and is not restarted', async () => {
    const { supervised, children, pass, last } = supervise();
    const started = supervised.start();
    last().ready();
    await started;
    const stopped = supervised.stop(5_000);
    expect(last().received).toEqual([{ kind: 'stop' }]);
    last().die(0);
    await stopped;
    pass(600_000);
    expect(children).toHaveLength(1);
    expect(last().killedBy).toEqual([]);
  });

  it('a supervised process is killed when it does not stop in time', async () => {
    const { supervised, pass, last } = supervise();
    const started = supervised.start();
    last().ready();
    await started;
    const stopped = supervised.stop(5_000);
    pass(5_000);
    await stopped;
    expect(last().killedBy).toEqual(['SIGKILL']);
  });

  it('a supervised process is not restarted when stopped during back-off', async () => {
    const { supervised, children, pass, last } = supervise();
    const started = supervised.start();
    last().ready();
    await started;
    last().die(1);
    await supervised.stop(5_000);
    pass(600_000);
    expect(children).toHaveLength(1);
  });

  it('a supervised process can be stopped before it was started, and during its start', async () => {
    const { supervised, last } = supervise();
    await supervised.stop(1_000);
    const other = supervise();
    const started = other.supervised.start();
    const stopped = other.supervised.stop(1_000);
    other.last().die(0);
    await stopped;
    await expect(started).rejects.toMatchObject({ code: 'start_failed' });
    expect(last()).toBeUndefined();
  });

  it('continues to run, but is not restarted once restarts are disabled', async () => {
    const { supervised, children, events, pass, last } = supervise();
    const started = supervised.start();
    last().ready();
    await started;
    supervised.disableRestarts();
    expect(last().received).toEqual([]);
    last().die(null, 'SIGTERM');
    pass(600_000);
    await supervised.stop(1_000);
    expect([children.length, events]).toEqual([1, ['ready {}']]);
  });

  it('a supervised process is restarted when only it got SIGTERM', async () => {
    const { supervised, children, pass, last } = supervise();
    const started = supervised.start();
    last().ready();
    await started;
    last().emit('message', { kind: 'stop_requested' });
    expect(last().received).toEqual([]);
    pass(500);
    expect(last().received).toEqual([{ kind: 'stop' }]);
    last().die(0);
    pass(1_000);
    expect(children).toHaveLength(2);
  });

  it('a supervised process is left running when the supervisor was sent SIGTERM too', async () => {
    const { supervised, pass, last } = supervise();
    const started = supervised.start();
    last().ready();
    await started;
    last().emit('message', { kind: 'stop_requested' });
    supervised.disableRestarts();
    pass(500);
    expect(last().received).toEqual([]);
  });

  it('gets reconnect notices only while it runs', async () => {
    const { supervised, last } = supervise();
    supervised.reconnect();
    const started = supervised.start();
    last().ready();
    await started;
    supervised.reconnect();
    expect(last().received).toEqual([{ kind: 'reconnect' }]);
    last().die(1);
    supervised.reconnect();
    expect(last().received).toEqual([{ kind: 'reconnect' }]);
  });

  it('ignores unknown messages', async () => {
    const { supervised, events, last } = supervise();
    const started = supervised.start();
    for (const message of [null, 'ready', { kind: 'ready' }, { kind: 'other' }]) last().emit('message', message);
    expect(events).toEqual([]);
    last().ready();
    await started;
  });
});
