import type { AccountId } from '../../../kernel/ids.js';
import { FixedWindow } from '../../limits/fixed-window.js';
import { addressBlock } from '../../platform/http/client-origin.js';

const MINUTE_SECONDS = 60;
const CODES_PER_MINUTE = 10;
const LOOK_UPS_PER_MINUTE = 10;
/** More than twice as many as the interval asks for. */
const POLLS_PER_MINUTE = 30;

/** Each method returns the seconds to wait, or undefined. */
export class DeviceCodeLimits {
  private readonly codes = new FixedWindow({ limit: CODES_PER_MINUTE, windowSeconds: MINUTE_SECONDS });
  private readonly lookUps = new FixedWindow({ limit: LOOK_UPS_PER_MINUTE, windowSeconds: MINUTE_SECONDS });
  private readonly polls = new FixedWindow({ limit: POLLS_PER_MINUTE, windowSeconds: MINUTE_SECONDS });

  newCode(address: string): number | undefined {
    return this.codes.take(addressBlock(address));
  }

  /** By account: look-ups require a signed-in user. */
  lookUp(accountId: AccountId): number | undefined {
    return this.lookUps.take(accountId);
  }

  poll(hash: Buffer): number | undefined {
    return this.polls.take(hash.toString('hex'));
  }
}
