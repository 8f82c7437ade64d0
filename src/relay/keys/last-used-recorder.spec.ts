import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ManualClock } from '../../../test/support/clock/manual-clock.js';
import { apiKeyIdOf, type AccountId } from '../../kernel/ids.js';
import { LastUsedRecorder, type UsedKey } from './last-used-recorder.js';

const accountId = 'acc_1' as AccountId;
const first: UsedKey = { accountId, keyPublicId: apiKeyIdOf('first0000000') };
const second: UsedKey = { accountId, keyPublicId: apiKeyIdOf('second000000') };

let clock: ManualClock;
let recorder: LastUsedRecorder;
const write = jest.fn<(used: readonly UsedKey[]) => Promise<void>>();

beforeEach(() => {
  clock = new ManualClock();
  write.mockReset().mockResolvedValue(undefined);
  recorder = new LastUsedRecorder(write, 100, clock);
});

describe('LastUsedRecorder', () => {
  it('writes keys in one batch, and nothing when none was used', async () => {
    recorder.record(first);
    recorder.record(second);
    recorder.record(first);
    await recorder.flush();
    await recorder.flush();
    expect(write.mock.calls).toEqual([[[first, second]]]);
  });

  it('writes a busy key at most once a minute', async () => {
    recorder.record(first);
    await recorder.flush();
    clock.advance(59_999);
    recorder.record(first);
    await recorder.flush();
    expect(write).toHaveBeenCalledTimes(1);
    clock.advance(1);
    recorder.record(first);
    await recorder.flush();
    expect(write).toHaveBeenCalledTimes(2);
  });

  it('tolerates a database outage, and flushes on stop', async () => {
    write.mockRejectedValueOnce(new Error('down'));
    recorder.record(first);
    await recorder.flush();
    recorder.record(second);
    await recorder.flush();
    expect(write).toHaveBeenLastCalledWith([second]);
  });
});
