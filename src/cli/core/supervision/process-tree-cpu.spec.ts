import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { processTreeCpuMs, psTimeMs } from './process-tree-cpu.js';

const PARENT = `
const { spawn } = require('node:child_process');
const child = spawn(process.execPath, ['-e', 'const end = process.cpuUsage().user + 300000; while (process.cpuUsage().user < end); console.log("worked"); setInterval(() => {}, 1000)'], { stdio: ['ignore', 'inherit', 'ignore'] });
process.on('SIGTERM', () => { child.kill(); process.exit(); });
`;

describe('processTreeCpuMs', () => {
  it('includes what a process has started', async () => {
    const parent = spawn(process.execPath, ['-e', PARENT], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      await once(parent.stdout, 'data');
      expect(processTreeCpuMs(parent.pid!)).toBeGreaterThanOrEqual(300);
    } finally {
      parent.kill();
      await once(parent, 'exit');
    }
  });

  it('says nothing of a process that does not exist', () => {
    expect(processTreeCpuMs(2 ** 30)).toBeUndefined();
  });

  it.each([
    ['0:01.50', 1_500],
    ['12:03.25', 723_250],
    ['00:01:02', 62_000],
    ['1-02:03:04', 93_784_000],
  ])('reads %s of ps', (text, ms) => {
    expect(psTimeMs(text)).toBe(ms);
  });
});
