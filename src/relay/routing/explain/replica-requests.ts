import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { mayHaveServed, type AccountId, type ReplicaId, type RequestId } from '../../../kernel/ids.js';
import { pageOfAll } from '../../platform/api/pagination/page.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { PresenceService } from '../../replicas/presence/presence.service.js';
import { MessageBus, type RequestTopic } from '../../replicas/bus/message-bus.js';
import { RequestLogStore } from '../../usage/request-log.store.js';
import { RoutingService } from '../routing.service.js';
import { DecisionLog } from './decision-log.js';
import { ExplanationsStore } from './explanations.store.js';
import {
  loggedRequestRecord,
  requestRecord,
  requestSummary,
  type ExplainedRequestRecord,
  type RequestSummary,
} from './request-record.js';
import type { RequestTrace } from './request-trace.js';
import { runningRequestRecord, type UnnamedRunningRequest } from './running-request-record.js';

/** Per replica; more would not fit one message. */
const MAX_RUNNING = 500;

const accountId = z.custom<AccountId>((value) => typeof value === 'string');
const requestId = z.custom<RequestId>((value) => typeof value === 'string');
/** Records of `/api`, as the other replica would answer them itself. */
const record = <Value>() => z.custom<Value>((value) => typeof (value as { id?: unknown } | null)?.id === 'string');

interface OneRequest {
  readonly accountId: AccountId;
  readonly id: RequestId;
}
const oneRequest = z.object({ accountId, id: requestId });

const explainTopic: RequestTopic<OneRequest, ExplainedRequestRecord | null> = {
  name: 'requests.explain',
  request: oneRequest,
  reply: record<ExplainedRequestRecord>().nullable(),
};
const recentTopic: RequestTopic<
  { accountId: AccountId; limit: number; cursor?: string | undefined },
  RequestSummary[]
> = {
  name: 'requests.recent',
  request: z.object({ accountId, limit: z.number().int().min(1).max(1_000), cursor: z.string().optional() }),
  reply: z.array(record<RequestSummary>()),
};
const runningTopic: RequestTopic<{ accountId: AccountId }, UnnamedRunningRequest[]> = {
  name: 'requests.running',
  request: z.object({ accountId }),
  reply: z.array(record<UnnamedRunningRequest>()),
};
const stopTopic: RequestTopic<OneRequest, { stopped: boolean }> = {
  name: 'requests.stop',
  request: oneRequest,
  reply: z.object({ stopped: z.boolean() }),
};

export const positionOf = ({ decidedAtWallMs, id }: RequestTrace): { at: Date; id: string } => ({
  at: new Date(decidedAtWallMs),
  id,
});

/**
 * Requests that other replicas serve or have served: asked of the replica that the request id names, or of all. Without a bus there are only
 * those that are stored.
 */
@Injectable()
export class ReplicaRequests implements OnModuleInit {
  private readonly active: boolean;
  private readonly timeoutMs: number;

  constructor(
    private readonly routing: RoutingService,
    private readonly decisions: DecisionLog,
    private readonly bus: MessageBus,
    private readonly presence: PresenceService,
    private readonly stored: ExplanationsStore,
    private readonly log: RequestLogStore,
    @Inject(RELAY_CONFIG) { settings, replicated }: RelayConfig,
  ) {
    this.active = replicated;
    this.timeoutMs = settings.replicaAnswerTimeoutMs;
  }

  onModuleInit(): void {
    if (!this.active) return;
    const { bus, routing, decisions } = this;
    bus.respond(explainTopic, ({ accountId, id }) => {
      const trace = decisions.find(accountId, id);
      return trace === undefined ? null : requestRecord(trace);
    });
    bus.respond(recentTopic, ({ accountId, limit, cursor }) => {
      const traces = decisions.newest(accountId, Infinity);
      const query = cursor === undefined ? { limit } : { limit, cursor };
      return [...pageOfAll(traces, query, 'newest', positionOf, requestSummary).data];
    });
    bus.respond(runningTopic, ({ accountId }) =>
      routing.running(accountId).slice(0, MAX_RUNNING).map(runningRequestRecord),
    );
    bus.respond(stopTopic, ({ accountId, id }) => {
      const request = routing.findRunning(accountId, id);
      if (request !== undefined) routing.stop(request);
      return { stopped: request !== undefined };
    });
  }

  /** Where the replica that routed it has ended or forgotten it: what was stored, or else what the request log has. */
  async explain(accountId: AccountId, id: RequestId): Promise<ExplainedRequestRecord | undefined> {
    const found = await this.query(this.replicasOf(id), explainTopic, { accountId, id });
    const explained =
      found.find((response) => response !== null) ?? (await this.stored.find(accountId, id)) ?? undefined;
    if (explained !== undefined) return explained;
    const logged = await this.log.find(accountId, id);
    return logged && loggedRequestRecord(logged);
  }

  /** Newest first of each replica, `limit` of each. */
  async recent(accountId: AccountId, limit: number, cursor: string | undefined): Promise<readonly RequestSummary[]> {
    return (await this.query(this.replicas(), recentTopic, { accountId, limit, cursor })).flat();
  }

  /** The names of keys are left out. */
  async running(accountId: AccountId): Promise<readonly UnnamedRunningRequest[]> {
    return (await this.query(this.replicas(), runningTopic, { accountId })).flat();
  }

  async findRunning(accountId: AccountId, id: RequestId): Promise<UnnamedRunningRequest | undefined> {
    const running = await this.query(this.replicasOf(id), runningTopic, { accountId });
    return running.flat().find((request) => request.id === id);
  }

  /** @returns false when it does not run any more, or its replica does not answer */
  async stop(accountId: AccountId, id: RequestId): Promise<boolean> {
    const responses = await this.query(this.replicasOf(id), stopTopic, { accountId, id });
    return responses.some(({ stopped }) => stopped);
  }

  private replicas(): readonly ReplicaId[] {
    if (!this.active) return [];
    return Array.from(this.presence.table.replicas()).flatMap(({ replicaId, state }) =>
      state === 'silent' ? [] : [replicaId],
    );
  }

  private replicasOf(id: RequestId): readonly ReplicaId[] {
    return this.replicas().filter((replicaId) => mayHaveServed(replicaId, id));
  }

  /** The responses that arrive in time. */
  private async query<FactsQuery, FactsResponse>(
    replicas: readonly ReplicaId[],
    topic: RequestTopic<FactsQuery, FactsResponse>,
    query: FactsQuery,
  ): Promise<FactsResponse[]> {
    const responses = await Promise.all(
      replicas.map((replicaId) => this.bus.request(replicaId, topic, query, this.timeoutMs)),
    );
    return responses.flatMap((response) => (response.ok ? [response.reply] : []));
  }
}
