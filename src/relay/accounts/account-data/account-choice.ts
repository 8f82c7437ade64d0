import type { QueryRunner } from 'typeorm';
import { columnsOf } from '../../backup/snapshot.store.js';

export interface NamedAccount {
  readonly id: string;
  readonly name: string;
}

/** No account, or several, have the id or name that was given. The message fits one line. */
export class AccountChoiceError extends Error {
  override readonly name = 'AccountChoiceError';

  /** @param matches ids of the accounts that have the name */
  constructor(
    given: string,
    readonly matches: readonly string[],
  ) {
    super(
      matches.length === 0
        ? `no account has the id or name ${given}`
        : `${matches.length} accounts have the name ${given}: ${matches.join(', ')}`,
    );
  }
}

/** More are not named in the message: anybody may choose the name of an account. */
const NAMED_MATCHES = 5;

/** An id comes before a name, which another account may have chosen to look like it. @throws AccountChoiceError */
export async function chooseAccount(runner: QueryRunner, idOrName: string): Promise<NamedAccount> {
  if ((await columnsOf(runner, 'account')).length === 0) throw new AccountChoiceError(idOrName, []);
  const [byId] = (await runner.query('SELECT id, name FROM account WHERE id = $1', [idOrName])) as NamedAccount[];
  if (byId !== undefined) return byId;
  const named = (await runner.query('SELECT id, name FROM account WHERE name = $1 ORDER BY created_at, id LIMIT $2', [
    idOrName,
    NAMED_MATCHES,
  ])) as NamedAccount[];
  const [only] = named;
  if (only !== undefined && named.length === 1) return only;
  throw new AccountChoiceError(
    idOrName,
    named.map(({ id }) => id),
  );
}

/** The account that a relay takes for its own: of `create-owner`, OpenID Connect and the bootstrap credentials file. */
export async function oldestAccount(runner: QueryRunner, except?: string): Promise<NamedAccount | undefined> {
  const [oldest] = (await runner.query(
    'SELECT id, name FROM account WHERE id IS DISTINCT FROM $1 ORDER BY created_at, id LIMIT 1',
    [except ?? null],
  )) as NamedAccount[];
  return oldest;
}
