/** What the two ends of an idle link take apart from their sockets. Most computers are idle most of the time, with a link to each of three relays. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { LinkPair } from '../../../test/support/link/link-pair.js';

const LINKS = 500;
/** Measured: 6,600 with Node 20, of which this spec's sockets and clocks are a part. A hidden class for each object made it 8,000. */
const BUDGET_BYTES = 7_300;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function usedBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test(`an idle link takes at most ${BUDGET_BYTES} bytes at both ends together`, () => {
  const pairs = Array.from({ length: LINKS }, () => new LinkPair());
  const before = usedBytes();
  // The first ones have compiled the code.
  pairs.push(...Array.from({ length: LINKS }, () => new LinkPair()));
  const perLink = (usedBytes() - before) / LINKS;
  expect(pairs).toHaveLength(2 * LINKS);
  expect(perLink).toBeLessThan(BUDGET_BYTES);
});
