/** The device of the suite `gpu`: llvmpipe of Mesa, which is a Vulkan device on the processor, and the built-in engine's packages for it. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isInstalled } from './freshness.mjs';
import { findNpm, root, StepError } from './run.mjs';

const engine = path.join(root, 'engines', 'llamacpp-vulkan');
const LOADERS = ['/usr/lib/x86_64-linux-gnu', '/usr/lib64', '/usr/lib'].map((folder) => `${folder}/libvulkan.so.1`);
const DRIVERS = ['lvp_icd.x86_64.json', 'lvp_icd.json'].map((name) => `/usr/share/vulkan/icd.d/${name}`);

/** What is missing, and how to get it. */
export const withoutVulkanDevice = () =>
  LOADERS.some((file) => existsSync(file)) && DRIVERS.some((file) => existsSync(file))
    ? undefined
    : 'llvmpipe: apt-get install --no-install-recommends mesa-vulkan-drivers libvulkan1 (x86-64)';

/** Installs the packages where they are missing (140 MB), and names the device to all processes that are started from here. */
export function prepareVulkanDevice() {
  const missing = withoutVulkanDevice();
  if (missing !== undefined) throw new StepError(`the suite needs ${missing}`);
  if (!isInstalled(engine)) {
    const words = [findNpm(), 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync(process.execPath, words, { cwd: engine, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  // ggml leaves devices of this kind out unless they are named.
  process.env['GGML_VK_VISIBLE_DEVICES'] = '0';
  return ['test/gpu/built-in-engine.spec.ts'];
}
