import { ApiProperty } from 'nest-swagger';
import type { LiveRequest } from '../request/live-requests.js';

const states = ['queued', 'prefill', 'decode'] as const;

/** A running request, without prompt and response. */
export class RunningRequestRecord {
  @ApiProperty({ enum: ['running_request'] })
  readonly object: 'running_request';
  @ApiProperty({ example: 'req_5b1f0c9e7a3d4f6889e2c4b7d0a1f352' })
  readonly id: string;
  @ApiProperty({
    description: 'Id of the API key, or of the user for the chat of the website.',
    example: 'key_q3Zr8TnV0aLk',
  })
  readonly key_id: string;
  @ApiProperty({ type: 'string', nullable: true, description: 'null if there is no key.', example: 'codex' })
  readonly key_name: string | null;
  @ApiProperty({ description: 'Model name in the request.', example: 'qwen3:8b' })
  readonly model: string;
  @ApiProperty({ type: 'string', nullable: true, description: 'null without a node.' })
  readonly node_id: string | null;
  @ApiProperty({ type: 'string', nullable: true, example: 'desk' })
  readonly node_name: string | null;
  @ApiProperty({ example: 'chat' })
  readonly dialect: string;
  @ApiProperty()
  readonly stream: boolean;
  @ApiProperty({
    enum: states,
    description: '`queued`: waits for a slot · `prefill`: sent to a node · `decode`: the response has begun.',
    example: 'decode',
  })
  readonly state: (typeof states)[number];
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Events of the response so far, about one per token; null without a node or if it does not stream.',
    example: 412,
  })
  readonly output_events: number | null;
  @ApiProperty({ type: 'integer', description: 'Time since arrival.', example: 10_400 })
  readonly age_ms: number;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Time from arrival to the first output.', example: 190 })
  readonly ttft_ms: number | null;
}

/** Names of keys are in the database, which a replica need not ask for another one. */
export type UnnamedRunningRequest = Omit<RunningRequestRecord, 'key_name'>;

export function runningRequestRecord(request: LiveRequest): UnnamedRunningRequest {
  const { routed, timeline, placement, waiting, receivedEvents } = request;
  const { firstEventMs } = timeline;
  return {
    object: 'running_request',
    id: routed.context.requestId,
    key_id: routed.keyPublicId,
    model: routed.query.model,
    node_id: placement?.node.nodeId ?? null,
    node_name: placement?.node.name ?? null,
    dialect: routed.query.dialect,
    stream: routed.stream,
    state: waiting || placement === null ? 'queued' : firstEventMs === null ? 'prefill' : 'decode',
    output_events: receivedEvents,
    age_ms: Math.round(timeline.totalMs),
    ttft_ms: firstEventMs === null ? null : Math.round(firstEventMs),
  };
}
