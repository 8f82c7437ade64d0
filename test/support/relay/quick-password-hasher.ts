import { PasswordHasher } from '../../../src/relay/accounts/passwords/password-hasher.js';

/** For specs that hash hundreds of passwords: a hash takes a hundredth of the processor time that it takes in a relay. */
export class QuickPasswordHasher extends PasswordHasher {
  protected override readonly parameters = { memoryCost: 256, timeCost: 1, parallelism: 1 };
}
