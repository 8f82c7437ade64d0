import type { NodeView } from '../../nodes/nodes.service.js';
import { starterModels, type StarterModel } from './starter-models.js';

/** A starter model as one engine of a node installs it. */
export interface Starter {
  readonly name: string;
  readonly about: string;
  readonly engine: string;
  readonly source: string;
  readonly sizeBytes: number;
  readonly embedding: boolean;
  /** Of a single request; null: nothing comparable was measured on the node, or the model generates no tokens. */
  readonly tokensPerSecond: number | null;
}

interface Measured {
  readonly sizeBytes: number;
  readonly msPerToken: number;
}

/** Below this size the fixed cost of a token outweighs that of reading the weights. */
const LEAST_MEASURED_BYTES = 200_000_000;

/** @param decodeTimes milliseconds per output token, by the key of the model */
export function startersOf(
  { engines, models }: Pick<NodeView, 'engines' | 'models'>,
  decodeTimes: ReadonlyMap<string, number>,
): readonly Starter[] {
  const measured = models.flatMap(({ key, sizeBytes }): Measured[] => {
    const msPerToken = decodeTimes.get(key);
    const isComparable = sizeBytes !== null && sizeBytes >= LEAST_MEASURED_BYTES;
    return msPerToken === undefined || !isComparable ? [] : [{ sizeBytes, msPerToken }];
  });
  return engines.flatMap(({ name: engine, kind }) =>
    starterModels.flatMap((model): Starter[] => {
      const download = downloadOf(model, kind);
      if (download === null) return [];
      const { name, about, activeShare, embedding = false } = model;
      const tokensPerSecond = embedding ? null : estimate(download.sizeBytes * activeShare, measured);
      return [{ name, about, engine, ...download, embedding, tokensPerSecond }];
    }),
  );
}

function downloadOf({ ollama, hub }: StarterModel, kind: string): StarterModel['hub'] {
  switch (kind) {
    case 'ollama':
      return ollama;
    case 'llamacpp':
      return hub;
    default:
      return null;
  }
}

/**
 * Reading the weights takes most of the time of a token, so that it grows with their size. By the measured model whose size is the nearest,
 * because other costs and the cache of the processor weigh differently in others.
 */
function estimate(readBytes: number, measured: readonly Measured[]): number | null {
  const distance = ({ sizeBytes }: Measured): number => Math.abs(Math.log(sizeBytes / readBytes));
  const [nearest] = measured.toSorted((one, other) => distance(one) - distance(other));
  if (nearest === undefined) return null;
  return 1_000 / (nearest.msPerToken * (readBytes / nearest.sizeBytes));
}
