import type { GpuBackend } from '../../../../link/messages.js';

/** `auto`: the graphics processor of this computer, where there is one that is worth it. Otherwise what is named, or none. */
export const gpuSettings = ['auto', 'off', 'vulkan', 'cuda', 'metal'] as const;
export type GpuSetting = (typeof gpuSettings)[number];

/** These spellings are shown to people. */
export const backendNames: Readonly<Record<GpuBackend, string>> = { vulkan: 'Vulkan', cuda: 'CUDA', metal: 'Metal' };
