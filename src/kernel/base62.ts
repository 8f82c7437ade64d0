const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Base62 of the bytes read as one big-endian number, left-padded with `0` to `width`, or cut to its last `width` digits. */
export function base62(bytes: Uint8Array, width: number): string {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  let text = '';
  for (let digit = 0; digit < width; digit += 1) {
    text = (ALPHABET[Number(value % 62n)] ?? '0') + text;
    value /= 62n;
  }
  return text;
}

/** The same for a whole number up to 2^53, without the cost of big integers. */
export function base62OfNumber(value: number, width: number): string {
  let rest = value;
  let text = '';
  for (let digit = 0; digit < width; digit += 1) {
    text = (ALPHABET[rest % 62] ?? '0') + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
