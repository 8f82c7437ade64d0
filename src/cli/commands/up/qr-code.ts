import { isLoopbackHost } from '../../core/api/relay-address.js';

/** For the camera of a phone. @returns the code, or why there is none */
export async function qrCode(
  consoleUrl: string | null,
): Promise<{ readonly code: string } | { readonly refusal: readonly string[] }> {
  if (consoleUrl === null || isLoopbackHost(new URL(consoleUrl).hostname)) {
    return {
      refusal: [
        'No QR code: another device can sign in on the website at an https address only.',
        '  try: a proxy with TLS in front, and FERRY_BASE_URL=https://…',
      ],
    };
  }
  const { renderUnicodeCompact } = await import('uqr');
  return { code: renderUnicodeCompact(consoleUrl, { border: 2 }) };
}
