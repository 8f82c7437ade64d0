import { Get, Inject } from '@nestjs/common';
import { ApiOperation, ApiResponse } from 'nest-swagger';
import { systemClock } from '../../kernel/clock.js';
import { CredentialsService } from '../accounts/credentials.service.js';
import { managementFeedFormat } from '../platform/api/management-feed.js';
import { PersonFeeds } from '../platform/api/person-feeds.js';
import { ManagementController } from '../platform/api/management-controller.js';
import { OperationRecords } from '../operations/operation-records.js';
import { Requires } from '../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../platform/access/request-principal.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { EventStream } from '../platform/http/event-stream.js';
import { ApiAlternatives } from '../platform/openapi/responses.js';
import { EventFeed } from './event-feed.js';
import { EventFeeds } from './event-feeds.js';

/** Maximum lifetime of a feed after its credential was revoked on another replica. */
const CREDENTIAL_CHECK_MS = 10_000;

/** Feed of changes in an account: names of changed lists, and the progress of operations. */
@ManagementController('events', 'Description')
export class EventsController {
  constructor(
    private readonly feeds: EventFeeds,
    private readonly personFeeds: PersonFeeds,
    private readonly records: OperationRecords,
    private readonly credentials: CredentialsService,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  @Get()
  @Requires('account:read')
  @ApiOperation({
    operationId: 'watchChanges',
    summary: 'Stream changes of the account',
    description:
      '`event: change` names the topics whose lists have changed; `event: operation` contains a changed operation. ' +
      'A topic is sent at most once a second. Missed events are not repeated: after a reconnect, fetch the lists again. ' +
      'Ends with `event: error` when the credential becomes invalid or the relay stops. A client that reads too slowly is disconnected.',
  })
  @ApiResponse({ status: 200, description: 'Server-sent events.' })
  @ApiAlternatives({ 'text/event-stream': 'event: change\ndata: {"topics":["models","nodes"]}\n\n' })
  watch(@CurrentPrincipal() principal: Principal): EventStream {
    const { accountId, credential } = principal;
    const { streamCommitMs, streamHeartbeatMs, slowClientTimeoutMs, eventFeedBufferBytes } = this.config.settings;
    const feed = new EventFeed({
      open: (opened) => this.personFeeds.begin(principal, () => this.feeds.open(accountId, opened)),
      record: (operation) => this.records.of(accountId, operation),
      stillAllowed: () => this.credentials.isActive(accountId, credential),
      checkEveryMs: CREDENTIAL_CHECK_MS,
      bufferBytes: eventFeedBufferBytes,
      keepAliveMs: streamHeartbeatMs,
      clock: systemClock,
    });
    return new EventStream(feed, managementFeedFormat, {
      commitMs: streamCommitMs,
      heartbeatMs: streamHeartbeatMs,
      slowClientTimeoutMs,
    });
  }
}
