import { expect, it } from '@jest/globals';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { layoutProgress } from '../../core/output/progress-line.js';
import { RowRate } from './row-progress.js';

it('shows how many rows are copied, how fast, and the time left, in 79 columns', () => {
  const clock = new ManualClock();
  const rate = new RowRate('Backing up', clock);
  clock.advance(2_000);
  const line = layoutProgress(rate.state(16_000, 40_000), 79);
  expect(line).toMatch(/^Backing up +40% +16\D000 of 40\D000 rows +8\D000 rows\/s +00:03 +━+╌+$/);
  expect(line.length).toBeLessThanOrEqual(79);
});

it('shows no speed before there is one, and no part of nothing', () => {
  const rate = new RowRate('Backing up', new ManualClock());
  expect(rate.state(0, 0)).toMatchObject({ fraction: null, detail: '0 of 0 rows' });
});
