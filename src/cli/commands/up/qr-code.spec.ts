import { describe, expect, it } from '@jest/globals';
import { qrCode } from './qr-code.js';

describe('the QR code of the link', () => {
  it('is drawn with half blocks where another device can open it', async () => {
    const drawn = await qrCode(`https://relay.example/console/start#ferry-web-${'y'.repeat(61)}`);
    const lines = 'code' in drawn ? drawn.code.split('\n') : [];
    expect(lines.length).toBeGreaterThan(20);
    expect(new Set(lines.map((line) => Array.from(line).length)).size).toBe(1);
    expect(lines.join('')).toMatch(/^[█▀▄ ]+$/);
  });

  it.each([null, 'http://127.0.0.1:8787/console/start#x'])('is refused, with what to do, for %s', async (link) => {
    expect(await qrCode(link)).toEqual({ refusal: expect.arrayContaining([expect.stringContaining('https')]) });
  });
});
