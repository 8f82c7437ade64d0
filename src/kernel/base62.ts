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
