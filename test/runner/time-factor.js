/**
 * How much slower this computer is now than the one on which the time limits of the tests were chosen, from 1 to 10. Measured once, when
 * Jest reads its configuration, and inherited by its workers: a busy or slow computer gives every test as much more time.
 */
const ROUNDS = 150;
/** Of these rounds on that computer: two cores of a virtual machine of 2026, which did nothing else. */
const REFERENCE_MS = 160;
const MAX_FACTOR = 10;

function measure() {
  const rows = Array.from({ length: 2_000 }, (_, index) => ({ id: `row ${(index * 7_919) % 2_000}`, index }));
  const startedAtMs = performance.now();
  for (let round = 0; round < ROUNDS; round += 1) {
    JSON.parse(JSON.stringify(rows)).sort((a, b) => (a.id < b.id ? -1 : 1));
  }
  return (performance.now() - startedAtMs) / REFERENCE_MS;
}

const known = Number(process.env['TEST_TIME_FACTOR']);

export const timeFactor = known > 0 ? known : Math.min(MAX_FACTOR, Math.max(1, Math.round(measure() * 10) / 10));
process.env['TEST_TIME_FACTOR'] = String(timeFactor);
