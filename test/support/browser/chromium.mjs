/**
 * Debian's Chromium, or the one that `FERRY_TEST_CHROMIUM` names. Also asked by `npm test`, before anything is compiled. The headless shell is
 * the same browser without its own windows, and takes less than half of its processor time.
 */
import { existsSync } from 'node:fs';

const places = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);

/** @returns {string | undefined} */
export const findChromium = () => [process.env.FERRY_TEST_CHROMIUM ?? '', ...places].find((file) => existsSync(file));
