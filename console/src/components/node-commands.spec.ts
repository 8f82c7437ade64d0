import { describe, expect, it } from '@jest/globals';
import { nodeCommands } from './node-commands';

describe('the commands of a computer', () => {
  it('begin with that of the install command, which most have', () => {
    expect(nodeCommands('doctor').map(({ command }) => command)).toEqual(['ferry-node doctor', 'ferry node doctor']);
  });

  it('are for the shell of its system', () => {
    const shells = (platform: string) => nodeCommands('run', platform).map(({ shell }) => shell);
    expect(shells('win32-x64')).toEqual(['PowerShell', 'PowerShell']);
    expect(shells('darwin-arm64')).toEqual([undefined, undefined]);
  });
});
