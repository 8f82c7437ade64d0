import { availableParallelism } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { availableCores } from './available-cores.js';

const files =
  (contents: Readonly<Record<string, string>>) =>
  (file: string): string => {
    const content = contents[file];
    if (content === undefined) throw new Error(`no file ${file}`);
    return content;
  };

describe('availableCores', () => {
  it('availableCores are those of the machine where no control group has a quota, or there are none', () => {
    const cores = availableParallelism();
    expect(availableCores(files({}))).toBe(cores);
    expect(availableCores(files({ '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': 'max 100000\n' }))).toBe(
      cores,
    );
    expect(availableCores(files({ '/proc/self/cgroup': '4:cpu:/old\n' }))).toBe(cores);
  });

  it('availableCores are the smallest quota of the own group and of those above it', () => {
    expect(
      availableCores(
        files({
          '/proc/self/cgroup': '0::/system.slice/ferry.service\n',
          '/sys/fs/cgroup/system.slice/ferry.service/cpu.max': '50000 100000\n',
          '/sys/fs/cgroup/system.slice/cpu.max': '80000 100000\n',
        }),
      ),
    ).toBe(0.5);
    expect(
      availableCores(
        files({
          '/proc/self/cgroup': '0::/pod/container\n',
          '/sys/fs/cgroup/pod/container/cpu.max': 'max 100000\n',
          '/sys/fs/cgroup/pod/cpu.max': '25000 100000\n',
        }),
      ),
    ).toBe(0.25);
  });

  it('ignores what is no quota', () => {
    for (const text of ['', 'max', '0 100000', 'x y'])
      expect(availableCores(files({ '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': text }))).toBe(
        availableParallelism(),
      );
  });
});
