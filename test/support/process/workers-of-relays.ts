/**
 * Environment of relays on Postgres with so many workers as `FERRY_TEST_WORKERS` says: what holds of a relay holds of one with several. Empty
 * without that variable.
 */
export const workersOfRelays = (): Readonly<Record<string, string>> => {
  const { FERRY_TEST_WORKERS: workers } = process.env;
  return workers === undefined ? {} : { FERRY_WORKERS: workers };
};
