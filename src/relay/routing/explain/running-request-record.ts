import { ApiProperty } from '../../platform/openapi/decorators.js';
import type { LiveRequest } from '../request/live-requests.js';

const states = ['queued', 'prefill', 'decode'] as const;

/** A request that has not ended. Nothing of its prompt or answer. */
export class RunningRequestRecord {
  @ApiProperty({ enum: ['running_request'] })
  readonly object: 'running_request';
  @ApiProperty({ example: 'req_5b1f0c9e7a3d4f6889e2c4b7d0a1f352' })
  readonly id: string;
  @ApiProperty({ description: 'An API key, or the person who chats on the website.', example: 'key_q3Zr8TnV0aLk' })
  readonly key_id: string;
  @ApiProperty({ type: 'string', nullable: true, description: 'null: it is no key.', example: 'codex' })
  readonly key_name: string | null;
  @ApiProperty({ description: 'As the client named it.', example: 'qwen3:8b' })
  readonly model: string;
  @ApiProperty({ type: 'string', nullable: true, description: 'null: no node has it.' })
  readonly node_id: string | null;
  @ApiProperty({ type: 'string', nullable: true, example: 'desk' })
  readonly node_name: string | null;
  @ApiProperty({ example: 'chat' })
  readonly dialect: string;
  @ApiProperty()
  readonly stream: boolean;
  @ApiProperty({
    enum: states,
    description: '`queued`: it waits for a slot · `prefill`: a node has it · `decode`: its answer has begun.',
    example: 'decode',
  })
  readonly state: (typeof states)[number];
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Events of its answer so far, about one for each token; null: it has no node, or does not stream.',
    example: 412,
  })
  readonly output_events: number | null;
  @ApiProperty({ type: 'integer', description: 'Since it came.', example: 10_400 })
  readonly age_ms: number;
  @ApiProperty({ type: 'integer', nullable: true, description: 'From its coming to its first output.', example: 190 })
  readonly ttft_ms: number | null;
}

export function runningRequestRecord(request: LiveRequest, keyName: string | null): RunningRequestRecord {
  const { routed, timeline, placement, waiting, receivedEvents } = request;
  const { firstEventMs } = timeline;
  return {
    object: 'running_request',
    id: routed.context.requestId,
    key_id: routed.keyPublicId,
    key_name: keyName,
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
