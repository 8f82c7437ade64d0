/** Debian's Chromium, or the one that `FERRY_TEST_CHROMIUM` names. Also asked by `npm test`, before anything is compiled. */
import { existsSync } from 'node:fs';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** @returns {string | undefined} */
export const findChromium = () => [process.env.FERRY_TEST_CHROMIUM ?? '', ...places].find((file) => existsSync(file));
