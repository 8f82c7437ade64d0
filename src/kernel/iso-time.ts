let second = NaN;
let secondText = '';

/** ISO 8601, UTC, as of a `Date`, which takes a microsecond to format: thousands of requests begin and end in one second. */
export function isoTime(unixMs: number): string {
  const ofSecond = Math.floor(unixMs / 1_000);
  if (ofSecond !== second) {
    second = ofSecond;
    secondText = new Date(ofSecond * 1_000).toISOString().slice(0, -'000Z'.length);
  }
  const ms = Math.floor(unixMs) - ofSecond * 1_000;
  return `${secondText}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z`;
}
