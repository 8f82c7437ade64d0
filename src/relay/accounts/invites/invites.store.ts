import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type EntityManager, type Repository } from 'typeorm';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { AccountId, InviteId, UserId } from '../../../kernel/ids.js';
import { lockAccount } from '../accounts.store.js';
import type { Role } from '../../platform/access/principal.js';
import { RANKED_ROLES } from '../granted-access.store.js';
import { InviteEntity } from './invite.entity.js';

export interface Invite {
  readonly id: InviteId;
  readonly role: Role;
  readonly createdBy: UserId | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface NewInvite {
  readonly id: InviteId;
  readonly digest: Buffer;
  readonly role: Role;
  readonly createdBy: UserId | null;
  readonly lifetimeMs: number;
}

export interface OpenInvite {
  readonly accountId: AccountId;
  readonly digest: Buffer;
  readonly role: Role;
}

/** A holder of the link may know this before accepting it. */
export interface InvitePreview {
  readonly accountName: string;
  /** Null: the relay itself. */
  readonly inviterName: string | null;
  readonly role: Role;
  readonly expiresAt: Date;
}

const OPEN_INVITES_PER_ACCOUNT = 100;

/** Reads only invites that can still be used; the audit trail has the others. */
@Injectable()
export class InvitesStore {
  constructor(@InjectRepository(InviteEntity) private readonly invites: Repository<InviteEntity>) {}

  async list(accountId: AccountId): Promise<readonly Invite[]> {
    const rows = await this.invites.query<ListedRow[]>(
      `SELECT id, role, created_by, created_at, expires_at FROM invite
       WHERE account_id = $1 AND ${ACCEPTABLE} ORDER BY created_at, id LIMIT ${OPEN_INVITES_PER_ACCOUNT}`,
      [accountId],
    );
    return rows.map(({ id, role, created_by, created_at, expires_at }) => ({
      id,
      role,
      createdBy: created_by,
      createdAt: created_at,
      expiresAt: expires_at,
    }));
  }

  /** Also deletes used and expired invites. @throws FerryError `rate_limit_exceeded` when too many are open */
  async insert(manager: EntityManager, accountId: AccountId, invite: NewInvite): Promise<Invite> {
    const { id, digest, role, createdBy, lifetimeMs } = invite;
    await lockAccount(manager, accountId);
    await manager.query('DELETE FROM invite WHERE account_id = $1 AND (used_at IS NOT NULL OR expires_at <= now())', [
      accountId,
    ]);
    if ((await manager.countBy(InviteEntity, { accountId })) >= OPEN_INVITES_PER_ACCOUNT) {
      throw new FerryError('rate_limit_exceeded', `This account has ${OPEN_INVITES_PER_ACCOUNT} unused invites.`);
    }
    await manager.query(
      `INSERT INTO invite (account_id, id, digest, role, created_by, expires_at)
       VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 millisecond')`,
      [accountId, id, digest, role, createdBy, lifetimeMs],
    );
    return toInvite(await manager.findOneByOrFail(InviteEntity, { accountId, id }));
  }

  /** The query is not scoped by account, because the token identifies it. */
  async findOpen(id: InviteId): Promise<OpenInvite | undefined> {
    const [row] = await this.invites.query<OpenRow[]>(
      `SELECT account_id, digest, role FROM invite WHERE id = $1 AND ${ACCEPTABLE}`,
      [id],
    );
    return row && { accountId: row.account_id, digest: row.digest, role: row.role };
  }

  async preview(accountId: AccountId, id: InviteId): Promise<InvitePreview | undefined> {
    const [row] = await this.invites.query<PreviewRow[]>(
      `SELECT a.name AS account_name, u.name AS inviter_name, i.role, i.expires_at
       FROM invite i JOIN account a ON a.id = i.account_id
         LEFT JOIN "user" u ON u.account_id = i.account_id AND u.id = i.created_by
       WHERE i.account_id = $1 AND i.id = $2`,
      [accountId, id],
    );
    return (
      row && {
        accountName: row.account_name,
        inviterName: row.inviter_name,
        role: row.role,
        expiresAt: row.expires_at,
      }
    );
  }

  /** One statement, so that an invite is used once. Lock the account first. @returns whether it was this time */
  async use(manager: EntityManager, accountId: AccountId, id: InviteId): Promise<boolean> {
    const [rows] = await manager.query<[unknown[], number]>(
      `UPDATE invite SET used_at = now() WHERE account_id = $1 AND id = $2 AND ${ACCEPTABLE} RETURNING 1`,
      [accountId, id],
    );
    return rows.length > 0;
  }

  async delete(manager: EntityManager, accountId: AccountId, id: InviteId): Promise<Invite | undefined> {
    const row = await manager.findOneBy(InviteEntity, { accountId, id, usedAt: IsNull() });
    if (row === null) return undefined;
    const { affected } = await manager.delete(InviteEntity, { accountId, id, usedAt: IsNull() });
    return affected === 1 ? toInvite(row) : undefined;
  }
}

/** Not used, not expired, and its creator may still give that role: an invite never outlives that (docs/reference/security.md). */
const ACCEPTABLE = `used_at IS NULL AND expires_at > now() AND (created_by IS NULL OR EXISTS (
  SELECT 1 FROM "user" u
  WHERE u.account_id = invite.account_id AND u.id = invite.created_by AND u.disabled_at IS NULL AND u.role <> 'member'
    AND array_position(${RANKED_ROLES}, u.role) >= array_position(${RANKED_ROLES}, invite.role)))`;

interface ListedRow {
  readonly id: InviteId;
  readonly role: Role;
  readonly created_by: UserId | null;
  readonly created_at: Date;
  readonly expires_at: Date;
}

interface OpenRow {
  readonly account_id: AccountId;
  readonly digest: Buffer;
  readonly role: Role;
}

interface PreviewRow {
  readonly account_name: string;
  readonly inviter_name: string | null;
  readonly role: Role;
  readonly expires_at: Date;
}

const toInvite = ({ id, role, createdBy, createdAt, expiresAt }: InviteEntity): Invite => ({
  id,
  role,
  createdBy,
  createdAt,
  expiresAt,
});
