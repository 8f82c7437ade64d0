import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Raw, type EntityManager, type Repository } from 'typeorm';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { AccountId, InviteId, UserId } from '../../../kernel/ids.js';
import { lockAccount } from '../accounts.store.js';
import type { Role } from '../../platform/access/principal.js';
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

/** What somebody who holds the link may know before accepting it. */
export interface InvitePreview {
  readonly accountName: string;
  /** Null: the account's own token, or somebody who is gone. */
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
    const rows = await this.invites.find({
      where: { accountId, usedAt: IsNull(), expiresAt: Raw((column) => `${column} > now()`) },
      order: { createdAt: 'ASC', id: 'ASC' },
      take: OPEN_INVITES_PER_ACCOUNT,
    });
    return rows.map(toInvite);
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

  /** Not scoped by account: the token identifies it. */
  async findOpen(id: InviteId): Promise<OpenInvite | undefined> {
    const row = await this.invites.findOneBy({
      id,
      usedAt: IsNull(),
      expiresAt: Raw((column) => `${column} > now()`),
    });
    return row === null ? undefined : { accountId: row.accountId, digest: row.digest, role: row.role };
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

  /** One statement, so that an invite is used once. @returns whether it was this time */
  async use(manager: EntityManager, accountId: AccountId, id: InviteId): Promise<boolean> {
    const result = await manager.update(
      InviteEntity,
      { accountId, id, usedAt: IsNull(), expiresAt: Raw((column) => `${column} > now()`) },
      { usedAt: () => 'now()' },
    );
    return result.affected === 1;
  }

  async delete(manager: EntityManager, accountId: AccountId, id: InviteId): Promise<Invite | undefined> {
    const row = await manager.findOneBy(InviteEntity, { accountId, id, usedAt: IsNull() });
    if (row === null) return undefined;
    const { affected } = await manager.delete(InviteEntity, { accountId, id, usedAt: IsNull() });
    return affected === 1 ? toInvite(row) : undefined;
  }
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
