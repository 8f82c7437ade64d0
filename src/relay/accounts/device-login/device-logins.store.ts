import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Raw, type EntityManager, type Repository } from 'typeorm';
import type { AccountId, UserId } from '../../../kernel/ids.js';
import type { Role } from '../../platform/access/principal.js';
import { MAX_OPEN_CODES, TRIES_PER_CODE } from './device-authorization.js';
import { DeviceLoginEntity } from './device-login.entity.js';

export interface NewDeviceLogin {
  readonly id: string;
  readonly digest: Buffer;
  readonly userCode: string;
  readonly clientName: string;
  readonly clientAddress: string;
  readonly lifetimeMs: number;
}

/** The approver sees these fields. */
export interface PendingDeviceLogin {
  readonly id: string;
  readonly userCode: string;
  readonly clientName: string;
  readonly clientAddress: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface Approval {
  readonly accountId: AccountId;
  readonly userId: UserId;
  readonly role: Role;
}

/** A refusal may come from the relay's own token. */
type Decision = Omit<Approval, 'userId'> & { readonly userId: UserId | null };

export interface PolledDeviceLogin {
  readonly digest: Buffer;
  readonly state: DeviceLoginEntity['state'];
  /** Null until it is decided. */
  readonly accountId: AccountId | null;
  readonly expired: boolean;
  /** Polled faster than the interval allows. */
  readonly tooSoon: boolean;
}

@Injectable()
export class DeviceLoginsStore {
  constructor(@InjectRepository(DeviceLoginEntity) private readonly logins: Repository<DeviceLoginEntity>) {}

  /** @returns false when too many are open or, which is very unlikely, the code is taken */
  async insert(login: NewDeviceLogin): Promise<boolean> {
    await this.logins.query('DELETE FROM device_login WHERE expires_at < now()');
    const rows = await this.logins.query<unknown[]>(
      `INSERT INTO device_login (id, digest, user_code, state, client_name, client_address, expires_at)
       SELECT $1, $2, $3, 'pending', $4, $5, now() + $6 * interval '1 millisecond'
       WHERE (SELECT count(*) FROM device_login) < $7
       ON CONFLICT DO NOTHING RETURNING 1`,
      [login.id, login.digest, login.userCode, login.clientName, login.clientAddress, login.lifetimeMs, MAX_OPEN_CODES],
    );
    return rows.length > 0;
  }

  async findPending(userCode: string): Promise<PendingDeviceLogin | undefined> {
    const row = await this.logins.findOneBy({
      userCode,
      state: 'pending',
      failedTries: Raw((column) => `${column} < ${String(TRIES_PER_CODE)}`),
      expiresAt: Raw((column) => `${column} > now()`),
    });
    if (row === null) return undefined;
    const { id, clientName, clientAddress, createdAt, expiresAt } = row;
    return { id, userCode, clientName, clientAddress, createdAt, expiresAt };
  }

  async countFailedTry(userCode: string): Promise<void> {
    await this.logins.query('UPDATE device_login SET failed_tries = failed_tries + 1 WHERE user_code = $1', [userCode]);
  }

  /** One statement, so that the first of two decisions wins. @returns whether this one did */
  async decide(
    manager: EntityManager,
    userCode: string,
    state: 'approved' | 'denied',
    { accountId, userId, role }: Decision,
  ): Promise<boolean> {
    const [rows] = await manager.query<[unknown[], number]>(
      `UPDATE device_login SET state = $2, account_id = $3, user_id = $4, role = $5
       WHERE user_code = $1 AND state = 'pending' AND failed_tries < $6 AND expires_at > now() RETURNING 1`,
      [userCode, state, accountId, userId, role, TRIES_PER_CODE],
    );
    return rows.length > 0;
  }

  /** The state before this poll, whose time is recorded. */
  async poll(id: string, intervalMs: number): Promise<PolledDeviceLogin | undefined> {
    const [row] = await this.logins.query<PolledRow[]>(
      `WITH before AS (SELECT * FROM device_login WHERE id = $1),
            noted AS (UPDATE device_login SET asked_at = now() WHERE id = $1)
       SELECT digest, state, account_id, expires_at <= now() AS expired, failed_tries >= $3 AS dead,
              coalesce(asked_at > now() - $2 * interval '1 millisecond', false) AS too_soon
       FROM before`,
      [id, intervalMs, TRIES_PER_CODE],
    );
    if (row === undefined) return undefined;
    const { digest, state, account_id, expired, dead, too_soon } = row;
    return {
      digest,
      expired,
      accountId: account_id,
      tooSoon: too_soon,
      state: dead && state === 'pending' ? 'denied' : state,
    };
  }

  /** Removes the approval, so that it is used once. @returns undefined when it is not approved or was used already */
  async take(manager: EntityManager, id: string): Promise<(Approval & { readonly clientName: string }) | undefined> {
    const [rows] = await manager.query<[TakenRow[], number]>(
      `DELETE FROM device_login WHERE id = $1 AND state = 'approved' AND user_id IS NOT NULL AND expires_at > now()
       RETURNING account_id, user_id, role, client_name`,
      [id],
    );
    const row = rows[0];
    return row && { accountId: row.account_id, userId: row.user_id, role: row.role, clientName: row.client_name };
  }
}

interface PolledRow {
  readonly digest: Buffer;
  readonly account_id: AccountId | null;
  readonly state: DeviceLoginEntity['state'];
  readonly expired: boolean;
  readonly dead: boolean;
  readonly too_soon: boolean;
}

interface TakenRow {
  readonly account_id: AccountId;
  readonly user_id: UserId;
  readonly role: Role;
  readonly client_name: string;
}
