/**
 * Canonical names of llama-server's models (docs/reference/inventory.md#model-identity): the name of the file or repository without path,
 * packaging and quantization.
 */
import { displayName } from '../http/model-facts.js';

interface ServerModelName {
  readonly display: string;
  readonly canonical: string;
  /** From the name: the server reports that of the file only while the model is loaded, and an identity must not change. */
  readonly quantization: string | null;
}

const shard = /-\d{5}-of-\d{5}$/;
const quantized = /[-._:]((?:UD-)?(?:I?Q\d\w*|TQ\d\w*|MXFP\d\w*|BF16|F16|F32))$/i;
const packaged = /[-._]gguf$/i;

/** `ggml-org/Qwen3-8B-GGUF:Q4_K_M`, `/models/Qwen3-8B-Q4_K_M.gguf` → `ggml-org/qwen3-8b` and `qwen3-8b`, both `Q4_K_M`. */
export function readModelName(id: string): ServerModelName {
  const display = displayName(id).replace(shard, '');
  const quantization = quantized.exec(display)?.[1]?.toUpperCase() ?? null;
  const bare = (quantization === null ? display : display.replace(quantized, '')).replace(packaged, '');
  return { display, canonical: (bare === '' ? display : bare).normalize('NFC').toLowerCase(), quantization };
}
