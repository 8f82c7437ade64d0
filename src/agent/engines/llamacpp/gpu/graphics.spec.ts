import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { planGpu } from './gpu-plan.js';
import { readGraphics, type Graphics } from './graphics.js';

const linux = { platform: 'linux', arch: 'x64' } as const;

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'ferry-graphics-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const write = (file: string, text = ''): void => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
};
const card = (node: string, vendor: string, slot: string): void => {
  write(`sys/class/drm/${node}/device/vendor`, `${vendor}\n`);
  write(`sys/class/drm/${node}/device/uevent`, `DRIVER=any\nPCI_SLOT_NAME=${slot}\n`);
  write(`dev/dri/${node}`);
};
const vulkan = (): void => {
  write('usr/lib/x86_64-linux-gnu/libvulkan.so.1');
  write('usr/share/vulkan/icd.d/any_icd.json', '{}');
};
const look = (env: Record<string, string> = {}): Promise<Graphics> => readGraphics({ root, ...linux, env });
const plan = async (setting: Parameters<typeof planGpu>[0] = 'auto') => planGpu(setting, await look(), linux);

describe('a computer without a graphics processor', () => {
  it('a computer without a graphics processor is said nothing about', async () => {
    expect(await look()).toEqual({ devices: [], vulkanLoader: false, vulkanDrivers: [] });
    expect(await plan()).toEqual({ backend: undefined, line: undefined });
  });

  it('a computer without a graphics processor may have the display adapter of a server or a virtual machine', async () => {
    vulkan();
    card('renderD128', '0x1af4', '0000:00:01.0');
    expect(await plan()).toEqual({ backend: undefined, line: undefined });
  });

  it('tries what its owner asks for all the same', async () => {
    expect(await plan('vulkan')).toEqual({
      backend: 'vulkan',
      line: 'no graphics processor found; Vulkan is asked for',
    });
  });
});

describe('a computer with a graphics processor', () => {
  it('uses it with Vulkan, by its name where its driver tells', async () => {
    vulkan();
    for (const index of [0, 1]) {
      write(`proc/driver/nvidia/gpus/0000:0${index}:00.0/information`, 'Model: \t\t NVIDIA H200\nIRQ: 1\n');
      write(`dev/nvidia${index}`);
      card(`renderD12${index}`, '0x10de', `0000:0${index}:00.0`);
    }
    expect(await plan()).toEqual({ backend: 'vulkan', line: '2 × NVIDIA H200 found, to be used with Vulkan' });
    expect(await plan('cuda')).toMatchObject({ backend: 'cuda' });
    expect(await plan('off')).toEqual({
      backend: undefined,
      line: '2 × NVIDIA H200 found and not used: "gpu" is "off"',
    });
  });

  it('says which part of its driver is missing', async () => {
    card('renderD128', '0x1002', '0000:03:00.0');
    expect(await plan()).toMatchObject({
      isProblem: true,
      line: 'AMD graphics processor found, but not the Vulkan loader libvulkan.so.1: the processor computes',
    });
    write('usr/lib/x86_64-linux-gnu/libvulkan.so.1');
    expect(await plan()).toMatchObject({ isProblem: true, line: expect.stringMatching(/but no Vulkan driver/) });
    write('etc/vulkan/icd.d/radeon_icd.x86_64.json', '{}');
    expect(await plan()).toMatchObject({ backend: 'vulkan' });
  });

  it('says that this user may not open the device', async () => {
    vulkan();
    card('renderD128', '0x1002', '0000:03:00.0');
    const device = path.join(root, 'dev/dri/renderD128');
    chmodSync(device, 0o000);
    // Root may open everything; a device that is not in the container cannot be opened by anybody.
    if (process.getuid?.() === 0) rmSync(device);
    expect(await plan()).toMatchObject({
      backend: undefined,
      isProblem: true,
      line: expect.stringMatching(/may not open \/dev\/dri\/renderD128: the processor computes/),
      next: expect.stringMatching(/"render"/),
    });
  });

  it('leaves the integrated graphics of Intel alone unless it is asked for', async () => {
    vulkan();
    card('renderD128', '0x8086', '0000:00:02.0');
    expect(await plan()).toMatchObject({
      backend: undefined,
      line: 'Intel integrated graphics found, which is usually no faster than the processor: not used',
    });
    card('renderD129', '0x8086', '0000:03:00.0');
    expect(await plan()).toEqual({
      backend: 'vulkan',
      line: 'Intel graphics processor found, to be used with Vulkan',
    });
  });

  it('a computer with a graphics processor has Metal on Apple silicon, and nothing where there are no packages', async () => {
    const apple = { platform: 'darwin', arch: 'arm64' } as const;
    const found = await readGraphics({ root, ...apple, env: {} });
    expect(planGpu('auto', found, apple)).toEqual({
      backend: 'metal',
      line: 'Apple silicon found, to be used with Metal',
    });
    expect(planGpu('cuda', found, apple)).toMatchObject({ backend: undefined, isProblem: true });
    card('renderD128', '0x10de', '0000:03:00.0');
    const arm = { platform: 'linux', arch: 'arm64' } as const;
    expect(planGpu('auto', await readGraphics({ root, ...arm, env: {} }), arm)).toEqual({
      backend: undefined,
      line: 'NVIDIA graphics processor found, but graphics processors cannot be used on linux arm64: the processor computes',
    });
  });

  it('a computer with a graphics processor may be one in software that its owner names', async () => {
    vulkan();
    const named = await look({ GGML_VK_VISIBLE_DEVICES: '0' });
    expect(planGpu('auto', named, linux)).toMatchObject({ backend: 'vulkan' });
  });
});
