/** What the driver itself says of the graphics processors of this computer. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const MEBIBYTE = 1_024 * 1_024;
const ICD_FOLDERS = ['/usr/share/vulkan/icd.d', '/etc/vulkan/icd.d', '/usr/local/share/vulkan/icd.d'];

/** @returns {{ name: string, driver: string, totalBytes: number, usedBytes: number }[]} */
export const driverDevices = () => [...nvidiaDevices(), ...drmDevices()];

export const usedBytes = () => driverDevices().reduce((sum, device) => sum + device.usedBytes, 0);

/** Files that name Vulkan drivers. */
export function vulkanDrivers() {
  const named = process.env.VK_DRIVER_FILES ?? process.env.VK_ICD_FILENAMES;
  if (named !== undefined) return named.split(path.delimiter);
  return ICD_FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder).map((file) => path.join(folder, file)),
  );
}

function nvidiaDevices() {
  const { status, stdout } = spawnSync(
    'nvidia-smi',
    ['--query-gpu=name,driver_version,memory.total,memory.used', '--format=csv,noheader,nounits'],
    { encoding: 'utf8', timeout: 15_000 },
  );
  if (status !== 0) return [];
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split(', '))
    .map(([name, driver, total, used]) => ({
      name,
      driver,
      totalBytes: Number(total) * MEBIBYTE,
      usedBytes: Number(used) * MEBIBYTE,
    }));
}

/** Those whose kernel driver counts memory, as AMD's does. */
function drmDevices() {
  const folder = '/sys/class/drm';
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((card) => /^card\d+$/.test(card))
    .map((card) => path.join(folder, card, 'device'))
    .filter((device) => existsSync(path.join(device, 'mem_info_vram_used')))
    .map((device) => {
      const read = (file) => readFileSync(path.join(device, file), 'utf8').trim();
      const driver = /^DRIVER=(.*)$/m.exec(read('uevent'))?.[1] ?? 'unknown';
      return {
        name: `${read('vendor')}:${read('device')}`,
        driver,
        totalBytes: Number(read('mem_info_vram_total')),
        usedBytes: Number(read('mem_info_vram_used')),
      };
    });
}
