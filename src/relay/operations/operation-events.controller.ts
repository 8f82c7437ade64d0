import { Get, Inject, Param } from '@nestjs/common';
import { ApiOperation, ApiResponse } from 'nest-swagger';
import { CredentialsService } from '../accounts/credentials.service.js';
import { Requires } from '../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../platform/access/request-principal.js';
import { OperationsService } from './operations.service.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { EventStream } from '../platform/http/event-stream.js';
import { managementFeedFormat } from '../platform/api/management-feed.js';
import { PersonFeeds } from '../platform/api/person-feeds.js';
import { ManagementController } from '../platform/api/management-controller.js';
import { OperationEvents, type OperationEventsOptions } from './operation-events.js';
import { OperationRecords } from './operation-records.js';
import { operationId } from './operations.controller.js';
import { ApiAlternatives } from '../platform/openapi/responses.js';

/** A feed ends within ten seconds of the revocation of its credential, on any replica. */
const CREDENTIAL_CHECK_MS = 5_000;

const EXAMPLE_EVENTS = 'event: operation\ndata: {"object":"operation","state":"running","phase":"downloading"}\n\n';

type Subject = Pick<OperationEventsOptions, 'current' | 'concerns' | 'endsWithOutcome'>;

/** Feeds of operations as server-sent events (`event: operation`, or `error` when the feed ends early). */
@ManagementController('operations', 'Models and operations')
export class OperationEventsController {
  constructor(
    private readonly operations: OperationsService,
    private readonly personFeeds: PersonFeeds,
    private readonly records: OperationRecords,
    private readonly credentials: CredentialsService,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  /** Unfinished operations of the account, then every change. Does not end by itself. */
  @Get('events')
  @Requires('operations:read')
  @ApiOperation({
    operationId: 'watchOperations',
    summary: 'Stream all operations',
    description: 'Sends the unfinished operations, then every change. Does not end by itself.',
  })
  @ApiResponse({ status: 200, description: 'Server-sent events.' })
  @ApiAlternatives({ 'text/event-stream': EXAMPLE_EVENTS })
  watchAll(@CurrentPrincipal() principal: Principal): EventStream {
    const { accountId } = principal;
    return this.stream(principal, {
      current: () => this.operations.unfinished(accountId),
      concerns: () => true,
      endsWithOutcome: false,
    });
  }

  /** The state of one operation, then every change; ends after its outcome. */
  @Get(':id/events')
  @Requires('operations:read')
  @ApiOperation({
    operationId: 'watchOperation',
    summary: 'Stream one operation',
    description: 'Sends the current state, then every change. Ends after the outcome.',
  })
  @ApiResponse({ status: 200, description: 'Server-sent events.' })
  @ApiAlternatives({ 'text/event-stream': EXAMPLE_EVENTS })
  watch(@CurrentPrincipal() principal: Principal, @Param('id') id: string): EventStream {
    const { accountId } = principal;
    const watched = operationId(id);
    return this.stream(principal, {
      current: async () => [await this.operations.get(accountId, watched)],
      concerns: (operation) => operation.id === watched,
      endsWithOutcome: true,
    });
  }

  private stream(principal: Principal, subject: Subject): EventStream {
    const { accountId, credential } = principal;
    const { streamCommitMs, streamHeartbeatMs, slowClientTimeoutMs } = this.config.settings;
    const events = new OperationEvents({
      ...subject,
      subscribe: (subscriber) => this.personFeeds.begin(principal, () => this.operations.watch(accountId, subscriber)),
      record: (operation) => this.records.of(accountId, operation),
      stillAllowed: () => this.credentials.isActive(accountId, credential),
      checkEveryMs: CREDENTIAL_CHECK_MS,
      keepAliveMs: streamHeartbeatMs,
    });
    return new EventStream(events, managementFeedFormat, {
      commitMs: streamCommitMs,
      heartbeatMs: streamHeartbeatMs,
      slowClientTimeoutMs,
    });
  }
}
