import type { EngineEntry } from '../engines/engine-entry.js';
import {
  engineDirectory,
  isBuiltInEngineInstalled,
  packagesRemedy,
  variantOf,
} from '../engines/llamacpp/engine-packages.js';
import { planGpu } from '../engines/llamacpp/gpu/gpu-plan.js';
import type { GpuSetting } from '../engines/llamacpp/gpu/gpu-setting.js';
import { readGraphics, type GraphicsPlace } from '../engines/llamacpp/gpu/graphics.js';
import { ok, problem, type Finding } from './finding.js';

interface CheckGpuOptions {
  readonly entries: readonly EngineEntry[];
  /** FERRY_LLAMACPP_GPU. */
  readonly setting: GpuSetting;
  /** Where the computer is looked at. */
  readonly place: GraphicsPlace;
}

/** One `gpu` finding where the built-in engine is configured: device, driver, permissions and packages, by files alone. */
export async function checkGpu({ entries, setting: typical, place }: CheckGpuOptions): Promise<Finding[]> {
  const entry = entries.find(({ kind }) => kind === 'llamacpp');
  if (entry === undefined) return [];
  const setting = entry.gpu ?? typical;
  const graphics = await readGraphics(place);
  const { platform = process.platform, arch = process.arch } = place;
  const plan = planGpu(setting, graphics, { platform, arch });
  const facts = {
    setting,
    backend: plan.backend ?? null,
    devices: graphics.devices.map(({ name }) => name),
    vulkan_loader: graphics.vulkanLoader,
    vulkan_drivers: graphics.vulkanDrivers,
  };
  const next = plan.next ?? 'see the graphics processor in docs/reference/engines.md';
  if (plan.isProblem === true) return [problem('warn', 'gpu', plan.line ?? 'cannot be used', next, facts)];
  if (plan.backend === undefined) return [ok('gpu', plan.line ?? 'none found: the processor computes', facts)];
  const variant = variantOf(plan.backend);
  const summary = plan.line ?? plan.backend;
  if (isBuiltInEngineInstalled(place.env, variant)) return [ok('gpu', summary, facts)];
  const missing = `${summary}; its packages are not installed: the processor computes`;
  return [problem('warn', 'gpu', missing, packagesRemedy(engineDirectory(place.env, variant)), facts)];
}
