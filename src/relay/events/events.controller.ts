import { Get, Inject } from '@nestjs/common';
import { systemClock } from '../../kernel/clock.js';
import { CredentialsService } from '../accounts/credentials.service.js';
import { ManagementController } from '../api/management-controller.js';
import { OperationRecords } from '../operations/operation-records.js';
import { Management } from '../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../platform/access/request-principal.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { EventStream } from '../platform/http/event-stream.js';
import { ApiAlternatives } from '../platform/openapi/answers.js';
import { ApiOperation, ApiResponse } from '../platform/openapi/decorators.js';
import { EventFeed, eventFeedFormat } from './event-feed.js';
import { EventFeeds } from './event-feeds.js';

/** A credential that was ended on another replica keeps a feed for at most this long. */
const CREDENTIAL_CHECK_MS = 10_000;

/** What changed in the account, as it happens: which lists to read again, and the progress of operations. */
@ManagementController('events', 'Description')
export class EventsController {
  constructor(
    private readonly feeds: EventFeeds,
    private readonly records: OperationRecords,
    private readonly credentials: CredentialsService,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  @Get()
  @Management('member')
  @ApiOperation({
    operationId: 'watchChanges',
    summary: 'Watch what changes in the account',
    description:
      '`event: change` names the topics whose lists have changed, `event: operation` carries an operation with news. ' +
      'A topic is repeated at most once a second. Nothing is repeated for a feed that was lost: read again what is shown. ' +
      'Ends with `event: error` when the credential does, or when the relay stops; a client that reads too slowly is disconnected.',
  })
  @ApiResponse({ status: 200, description: 'Server-Sent Events.' })
  @ApiAlternatives({ 'text/event-stream': 'event: change\ndata: {"topics":["models","nodes"]}\n\n' })
  watch(@CurrentPrincipal() { accountId, credential }: Principal): EventStream {
    const { streamCommitMs, streamHeartbeatMs, slowClientTimeoutMs, eventFeedBufferBytes } = this.config.settings;
    const feed = new EventFeed({
      open: (opened) => this.feeds.open(accountId, opened),
      record: (operation) => this.records.of(accountId, operation),
      stillAllowed: () => this.credentials.isActive(accountId, credential),
      checkEveryMs: CREDENTIAL_CHECK_MS,
      bufferBytes: eventFeedBufferBytes,
      clock: systemClock,
    });
    return new EventStream(feed, eventFeedFormat, {
      commitMs: streamCommitMs,
      heartbeatMs: streamHeartbeatMs,
      slowClientTimeoutMs,
    });
  }
}
