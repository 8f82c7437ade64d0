import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { ConcurrencyLimiter } from './concurrency-limiter.js';
import { isAcceptablePassword, normalPassword } from './password.js';

/**
 * OWASP's minimum for argon2id, which is the library's default algorithm: some 30 ms and 19 MiB each (docs/reference/security.md#people).
 */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const AT_ONCE = 4;
const WAITING = 32;

export interface PasswordCheck {
  readonly matches: boolean;
  /** It was hashed with other parameters than today's: to be hashed again now that the password is at hand. */
  readonly outdated: boolean;
}

/** argon2id with a bound on what sign-ins may cost this computer. @throws FerryError `overloaded` when too many wait */
@Injectable()
export class PasswordHasher {
  readonly #places = new ConcurrencyLimiter(AT_ONCE, WAITING, () => new FerryError('overloaded'));
  #nobodysHash: Promise<string> | undefined;

  hash(password: string): Promise<string> {
    return this.#places.run(() => hash(normalPassword(password), PARAMETERS));
  }

  /** `known` undefined: nobody has this e-mail address, which must take as long to find out as a wrong password does. */
  async verify(known: string | undefined, password: string): Promise<PasswordCheck> {
    // Nobody can have such a password; hashing megabytes of it would be a favour to somebody else.
    if (!isAcceptablePassword(password)) return { matches: false, outdated: false };
    const compared = known ?? (await this.#unguessable());
    const matches = await this.#places.run(() => verify(compared, normalPassword(password)));
    return { matches: matches && known !== undefined, outdated: !hasTodaysParameters(compared) };
  }

  async #unguessable(): Promise<string> {
    this.#nobodysHash ??= hash(randomBytes(32), PARAMETERS);
    return this.#nobodysHash;
  }
}

function hasTodaysParameters(phc: string): boolean {
  const { memoryCost, timeCost, parallelism } = PARAMETERS;
  return phc.includes(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
}
