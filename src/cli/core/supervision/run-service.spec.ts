import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { runService, type RunningService, type ServiceProcess } from './run-service.js';
import type { ChildMessage } from './messages.js';

class FakeProcess extends EventEmitter implements ServiceProcess {
  connected = false;
  readonly sent: ChildMessage[] = [];
  readonly exits: number[] = [];
  send?: (message: ChildMessage) => boolean;
  disconnect?: () => void;

  exit(code: number): void {
    this.exits.push(code);
  }
}

const standalone = (): FakeProcess => new FakeProcess();

const supervisedProcess = (): FakeProcess => {
  const host = new FakeProcess();
  host.connected = true;
  host.send = (message) => {
    host.sent.push(message);
    return true;
  };
  host.disconnect = () => {
    host.connected = false;
  };
  return host;
};

const service = (): RunningService & { closed: number } => {
  const running = {
    facts: { port: 1 },
    closed: 0,
    close: () => {
      running.closed += 1;
      return Promise.resolve();
    },
  };
  return running;
};

let clock: ManualClock;

/** Lets everything run that waits for a promise. */
const settle = (): Promise<void> => jest.advanceTimersByTimeAsync(0);

beforeEach(() => {
  clock = new ManualClock();
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a service in the foreground', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('drains at %s and returns', async (signal) => {
    const host = standalone();
    const running = service();
    const done = runService(() => Promise.resolve(running), host, clock, true);
    await settle();
    expect(running.closed).toBe(0);
    host.emit(signal);
    await done;
    expect(running.closed).toBe(1);
    expect(host.eventNames()).toEqual([]);
  });

  it('reloads at SIGHUP where no terminal can have sent it, and goes on', async () => {
    const host = standalone();
    const running = { ...service(), reload: jest.fn() };
    const done = runService(() => Promise.resolve(running), host, clock, false);
    await settle();
    host.emit('SIGHUP');
    host.emit('SIGHUP');
    await settle();
    expect(running.reload).toHaveBeenCalledTimes(2);
    host.emit('SIGTERM');
    await done;
    expect(host.eventNames()).toEqual([]);
  });

  it('ends at once at the second signal', async () => {
    const host = standalone();
    const running = { ...service(), close: () => new Promise<void>(() => undefined) };
    void runService(() => Promise.resolve(running), host, clock);
    await settle();
    host.emit('SIGINT');
    clock.advance(1_000);
    host.emit('SIGINT');
    await settle();
    expect(host.exits).toEqual([130]);
  });

  it('throws a start-up failure', async () => {
    const host = standalone();
    await expect(runService(() => Promise.reject(new Error('no disk')), host, clock)).rejects.toThrow('no disk');
  });

  it('throws a fatal failure after closing', async () => {
    const host = standalone();
    const running = { ...service(), failed: Promise.reject(new Error('revoked')) };
    await expect(runService(() => Promise.resolve(running), host, clock)).rejects.toThrow('revoked');
  });

  it('exits despite open handles', async () => {
    const host = standalone();
    const done = runService(() => Promise.resolve(service()), host, clock);
    await settle();
    host.emit('SIGTERM');
    await done;
    jest.advanceTimersByTime(2_000);
    expect(host.exits).toEqual([0]);
  });
});

describe('a service under a supervisor', () => {
  it('reports readiness, and drains on request', async () => {
    const host = supervisedProcess();
    const running = service();
    const done = runService(() => Promise.resolve(running), host, clock);
    await settle();
    expect(host.sent).toEqual([{ kind: 'ready', facts: { port: 1 } }]);
    host.emit('message', { kind: 'stop' });
    await done;
    expect(running.closed).toBe(1);
    expect(host.connected).toBe(false);
  });

  it('leaves SIGINT to its supervisor', async () => {
    const host = supervisedProcess();
    const running = service();
    void runService(() => Promise.resolve(running), host, clock);
    await settle();
    host.emit('SIGINT');
    await settle();
    expect(running.closed).toBe(0);
  });

  it('asks its supervisor at SIGTERM, which may concern the whole process group', async () => {
    const host = supervisedProcess();
    const running = service();
    const done = runService(() => Promise.resolve(running), host, clock);
    await settle();
    host.emit('SIGTERM');
    await settle();
    expect([running.closed, host.sent.at(-1)]).toEqual([0, { kind: 'stop_requested' }]);
    host.emit('message', { kind: 'stop' });
    await done;
    expect(running.closed).toBe(1);
  });

  it('gets a notice when its peer is ready again', async () => {
    const host = supervisedProcess();
    let reconnects = 0;
    const running = { ...service(), reconnect: () => (reconnects += 1) };
    void runService(() => Promise.resolve(running), host, clock);
    // Before it has started there is nothing to connect.
    host.emit('message', { kind: 'reconnect' });
    await settle();
    host.emit('message', { kind: 'reconnect' });
    expect(reconnects).toBe(1);
  });

  it('stops quickly when its supervisor is gone', async () => {
    const host = supervisedProcess();
    const running = { ...service(), close: () => new Promise<void>(() => undefined) };
    void runService(() => Promise.resolve(running), host, clock);
    await settle();
    host.connected = false;
    host.emit('disconnect');
    await settle();
    jest.advanceTimersByTime(5_000);
    expect(host.exits).toEqual([1]);
  });

  it('reports why it cannot start', async () => {
    const host = supervisedProcess();
    const taken = Object.assign(new Error('listen'), { code: 'EADDRINUSE', port: 8787 });
    await expect(runService(() => Promise.reject(taken), host, clock)).rejects.toThrow('listen');
    expect(host.sent).toMatchObject([{ kind: 'failed', code: 'port_in_use' }]);
  });
});
