import { Readable } from 'node:stream';
import { Get, Query, StreamableFile } from '@nestjs/common';
import { ApiOperation } from 'nest-swagger';
import type { AccountId } from '../../../kernel/ids.js';
import type { AuditEvent } from './audit-event.js';
import { AuditEventsStore, type AuditFilter } from './audit-events.store.js';
import { Requires } from '../../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { ManagementController } from '../../platform/api/management-controller.js';
import { pageResponse, pageRequest, type PageResponse } from '../../platform/api/pagination/page.js';
import { exportText, exportTypes, type ExportFormat } from './audit-export.js';
import { auditRecord, AuditEventRecord } from './audit-record.js';
import { ListAuditDto } from './list-audit.dto.js';
import { ApiAlternatives, ApiPage } from '../../platform/openapi/responses.js';

const EXPORT_PAGE_EVENTS = 1_000;

/** The audit trail, read-only. */
@ManagementController('audit', 'Usage, requests and audit')
export class AuditController {
  constructor(private readonly events: AuditEventsStore) {}

  @Get()
  @Requires('audit:read')
  @ApiOperation({ operationId: 'listAudit', summary: 'List or export the audit trail' })
  @ApiPage(AuditEventRecord, 'Newest first.')
  @ApiAlternatives({
    'application/x-ndjson': '{"object":"audit_event","action":"key.create"}\n',
    'text/csv':
      'created_at,id,action,actor_kind,actor_user_id,actor_credential_id,actor_name,target_kind,target_id,detail,ip,user_agent\r\n',
  })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListAuditDto,
  ): Promise<PageResponse<AuditEventRecord> | StreamableFile> {
    const filter = filterOf(query);
    const format = query.format ?? 'json';
    if (format !== 'json') return this.export(accountId, filter, format);
    const page = pageRequest(query);
    const after = page.after === null ? null : { createdAt: page.after.at, id: page.after.id };
    const found = await this.events.list(accountId, filter, page.limit + 1, after);
    return pageResponse(found, page, ({ createdAt, id }) => ({ at: createdAt, id }), auditRecord);
  }

  private export(accountId: AccountId, filter: AuditFilter, format: ExportFormat): StreamableFile {
    return new StreamableFile(Readable.from(exportText(format, this.pages(accountId, filter)), { objectMode: false }), {
      type: exportTypes[format],
      disposition: `attachment; filename="audit.${format}"`,
    });
  }

  private async *pages(accountId: AccountId, filter: AuditFilter): AsyncGenerator<readonly AuditEvent[]> {
    let page: readonly AuditEvent[] = [];
    do {
      page = await this.events.list(accountId, filter, EXPORT_PAGE_EVENTS, page.at(-1) ?? null);
      yield page;
    } while (page.length === EXPORT_PAGE_EVENTS);
  }
}

const filterOf = ({ actor, action, object, since, until }: ListAuditDto): AuditFilter => ({
  actor: actor ?? null,
  action: action ?? null,
  object: object ?? null,
  since: since === undefined ? null : new Date(since),
  until: until === undefined ? null : new Date(until),
});
