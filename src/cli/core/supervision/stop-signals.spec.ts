import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { watchStopSignals } from './stop-signals.js';

const watch = (ignored: ('SIGINT' | 'SIGHUP')[] = []) => {
  const source = new EventEmitter();
  const clock = new ManualClock();
  const heard: string[] = [];
  const signals = watchStopSignals(source, clock, ignored);
  void signals.first.then((signal) => heard.push(`first ${signal}`));
  void signals.second.then((signal) => heard.push(`second ${signal}`));
  const send = async (signal: string, afterMs = 0): Promise<void> => {
    clock.advance(afterMs);
    source.emit(signal);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { source, signals, heard, send };
};

describe('Ctrl-C', () => {
  it('drains the first time and exits the second time', async () => {
    const { heard, send } = watch();
    await send('SIGINT');
    expect(heard).toEqual(['first SIGINT']);
    await send('SIGINT', 700);
    expect(heard).toEqual(['first SIGINT', 'second SIGINT']);
  });

  it('counts once although npm forwards it as well', async () => {
    const { heard, send } = watch();
    await send('SIGINT');
    await send('SIGINT', 120);
    expect(heard).toEqual(['first SIGINT']);
  });

  it('Ctrl-C may be followed by SIGTERM', async () => {
    const { heard, send } = watch();
    await send('SIGINT');
    await send('SIGTERM', 5_000);
    expect(heard).toEqual(['first SIGINT', 'second SIGTERM']);
  });

  it('Ctrl-C is ignored by a supervised process', async () => {
    const { source, heard, send } = watch(['SIGINT', 'SIGHUP']);
    await send('SIGINT');
    expect(heard).toEqual([]);
    expect(source.listenerCount('SIGINT')).toBe(1);
    await send('SIGTERM');
    expect(heard).toEqual(['first SIGTERM']);
  });

  it("Ctrl-C has Node's default behaviour again afterwards", () => {
    const { source, signals } = watch();
    signals.dispose();
    expect(source.eventNames()).toEqual([]);
  });
});
