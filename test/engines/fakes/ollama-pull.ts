/** The fake Ollama's `/api/pull`: progress by layer, one JSON object per line. The model's name chooses the failure. */
import { setTimeout as delay } from 'node:timers/promises';
import type { FakeRequest } from './fake-server.js';

const layers = [
  { digest: 'sha256:6a0746a1ec1aef3e7ec53868f220ff6e389f6f8ef87a01d77c96807de94ca2aa', total: 4_000_000 },
  { digest: 'sha256:4fa551d4f938f68b8c1e6afa9d28befb70e3f33f75d0753248d530364aeea40f', total: 12_000 },
];

/** @param onPulled gets the full name of a model that has been pulled */
export async function respondToPull(request: FakeRequest, onPulled: (name: string) => void): Promise<void> {
  const name = String(request.body['model']);
  request.startStream('application/x-ndjson');
  const line = (report: object): void => void request.response.write(`${JSON.stringify(report)}\n`);
  line({ status: 'pulling manifest' });
  if (name.startsWith('nowhere')) line({ error: 'pull model manifest: file does not exist' });
  else if (name.startsWith('offline')) {
    line({ error: 'Get "https://registry.ollama.ai/v2/": dial tcp: lookup registry.ollama.ai: no such host' });
  } else if (await pullLayers(name, request, line)) onPulled(name.includes(':') ? name : `${name}:latest`);
  request.response.end();
}

/** @returns whether all have arrived */
async function pullLayers(name: string, { response }: FakeRequest, line: (report: object) => void): Promise<boolean> {
  for (const { digest, total } of layers) {
    const status = `pulling ${digest.slice(7, 19)}`;
    line({ status, digest, total });
    for (const part of [0.25, 0.5, 1]) {
      line({ status, digest, total, completed: total * part });
      while (name.startsWith('endless') && !response.destroyed) await delay(5);
      if (name.startsWith('huge')) {
        line({ error: 'write /root/.ollama/models/blobs/sha256-6a07-partial: no space left on device' });
        return false;
      }
    }
  }
  if (name.startsWith('cut')) {
    response.destroy();
    return false;
  }
  for (const status of ['verifying sha256 digest', 'writing manifest', 'success']) line({ status });
  return true;
}
