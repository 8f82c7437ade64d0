const QUANTIZATION =
  /(?:^|[-_.])((?:UD-)?(?:I?Q[1-8](?:_[01KSMLX]|_XXS|_XS|_NL|_XL)*|TQ[12]_0|MXFP4(?:_MOE)?|BF16|F16|F32|FP16|FP32))(?=[-_.]|$)/gi;

/** As file names of GGUF models tell it, such as `Q4_K_M`; null when the name does not. The last one in the name counts. */
export function quantizationOf(path: string): string | null {
  const name = path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\.gguf$/i, '')
    .replace(/-\d{5}-of-\d{5}$/, '');
  return [...name.matchAll(QUANTIZATION)].at(-1)?.[1]?.toUpperCase() ?? null;
}
