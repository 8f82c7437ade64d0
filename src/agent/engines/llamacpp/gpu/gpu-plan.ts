/** Plans the graphics processor of the built-in engine from the settings and the hardware. */
import type { GpuBackend } from '../../../../link/messages.js';
import { backendNames, type GpuSetting } from './gpu-setting.js';
import type { Graphics, GraphicsDevice } from './graphics.js';

export interface GpuPlan {
  /** Undefined: the processor computes. */
  readonly backend: GpuBackend | undefined;
  /** Tells people the result of the search. Undefined: nothing was found, and nothing was requested. */
  readonly line: string | undefined;
  /** Tells the owner how to use a device that is not used. */
  readonly next?: string;
  /** The device cannot be used although it was meant to. */
  readonly isProblem?: boolean;
}

interface Computer {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
}

const ENGINES_FILE = '"gpu" in engines.json, or FERRY_LLAMACPP_GPU';

export function planGpu(
  setting: GpuSetting,
  { devices, vulkanLoader, vulkanDrivers }: Graphics,
  { platform, arch }: Computer = process,
): GpuPlan {
  const nothing: GpuPlan = { backend: undefined, line: undefined };
  const named = namesOf(devices);
  if (setting === 'off')
    return devices.length === 0 ? nothing : { ...nothing, line: `${named} found and not used: "gpu" is "off"` };
  const wanted = setting === 'auto' ? undefined : setting;
  const available = backendOf(platform, arch);
  if (!available.includes(wanted ?? available[0] ?? 'metal')) {
    if (wanted === undefined && devices.length === 0) return nothing;
    const what = wanted === undefined ? `${named} found, but graphics processors` : backendNames[wanted];
    const line = `${what} cannot be used on ${platform} ${arch}: the processor computes`;
    return wanted === undefined
      ? { ...nothing, line }
      : { ...nothing, line, next: `change ${ENGINES_FILE}`, isProblem: true };
  }
  const backend = wanted ?? available[0];
  if (wanted !== undefined)
    return {
      backend,
      line: `${devices.length === 0 ? 'no graphics processor' : named} found; ${backendNames[wanted]} is asked for`,
    };
  if (devices.length === 0 || backend === undefined) return nothing;
  return automatic(devices, backend, { loader: vulkanLoader, drivers: vulkanDrivers.length, platform });
}

function automatic(
  devices: readonly GraphicsDevice[],
  backend: GpuBackend,
  vulkan: { readonly loader: boolean; readonly drivers: number; readonly platform: NodeJS.Platform },
): GpuPlan {
  const fast = devices.filter(({ slow }) => !slow);
  const open = fast.filter(({ closed }) => closed.length === 0);
  if (fast.length === 0) {
    const line = `${namesOf(devices)} found, which is usually no faster than the processor: not used`;
    return { backend: undefined, line, next: `to use it anyway, set ${ENGINES_FILE} to "${backend}"` };
  }
  if (open.length === 0) {
    const files = fast.flatMap(({ closed }) => closed).join(', ');
    return {
      backend: undefined,
      line: `${namesOf(fast)} found, but this user may not open ${files}: the processor computes`,
      next: 'add the user to the groups "render" and "video", or give the container the device',
      isProblem: true,
    };
  }
  if (backend === 'vulkan' && vulkan.platform === 'linux' && !vulkan.loader)
    return {
      backend: undefined,
      line: `${namesOf(open)} found, but not the Vulkan loader libvulkan.so.1: the processor computes`,
      next: 'install it (Debian and Ubuntu: apt-get install libvulkan1)',
      isProblem: true,
    };
  if (backend === 'vulkan' && vulkan.platform === 'linux' && vulkan.drivers === 0)
    return {
      backend: undefined,
      line: `${namesOf(open)} found, but no Vulkan driver (no file in /usr/share/vulkan/icd.d or /etc/vulkan/icd.d): the processor computes`,
      next: 'install the Vulkan part of its driver (Mesa: mesa-vulkan-drivers), or for NVIDIA set FERRY_LLAMACPP_GPU=cuda',
      isProblem: true,
    };
  return { backend, line: `${namesOf(open)} found, to be used with ${backendNames[backend]}` };
}

/** The best first. Packages of node-llama-cpp exist for these only. */
function backendOf(platform: NodeJS.Platform, arch: string): readonly GpuBackend[] {
  if (platform === 'darwin' && arch === 'arm64') return ['metal'];
  if ((platform === 'linux' || platform === 'win32') && arch === 'x64') return ['vulkan', 'cuda'];
  return [];
}

function namesOf(devices: readonly GraphicsDevice[]): string {
  const counts = new Map<string, number>();
  for (const { name } of devices) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${count} × ${name}`)).join(', ');
}
