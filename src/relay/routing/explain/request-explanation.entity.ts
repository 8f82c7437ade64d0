import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, RequestId } from '../../../kernel/ids.js';
import type { ExplainedRequestRecord } from './request-record.js';

/** Why a finished request was routed as it was, beyond the life of the relay process that did. A bounded number of each account. */
@Entity('request_explanation')
@ForeignKey('account', ['accountId'], ['id'], { name: 'request_explanation_account_fk', onDelete: 'CASCADE' })
@Index('request_explanation_ended', ['accountId', 'endedAt', 'id'])
export class RequestExplanationEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'request_explanation_pk' })
  accountId: AccountId;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'request_explanation_pk' })
  id: RequestId;

  @Column({ name: 'ended_at', type: 'timestamptz' })
  endedAt: Date;

  /** As `/api/requests` shows it. */
  @Column({ type: 'jsonb' })
  record: ExplainedRequestRecord;
}
