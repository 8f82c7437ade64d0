import type { Invocation } from '../../invocation.js';
import type { TargetOptions } from '../models/change-models.js';

/** In Ollama it unloads a model, in Docker it stops the program. */
export async function stop(invocation: Invocation, model: string | undefined, options: TargetOptions): Promise<void> {
  if (model === undefined) {
    const { stopRunning } = await import('../up/stop-running.js');
    await stopRunning(invocation);
    return;
  }
  const { unloadModel } = await import('../models/change-models.js');
  await unloadModel(invocation, model, options);
}
