import { ApiProperty } from 'nest-swagger';
import { attentionCodes, type AttentionItem } from './attention.js';
import type { OverviewFigures } from './overview.store.js';

/** Requests of a day until now. */
export class OverviewFiguresRecord {
  @ApiProperty({ type: 'string', format: 'date-time', description: 'Start of the day.' })
  readonly since: string;
  @ApiProperty({ type: 'string', format: 'date-time' })
  readonly until: string;
  @ApiProperty({ type: 'integer', example: 12 })
  readonly requests: number;
  @ApiProperty({ type: 'integer', example: 4_800 })
  readonly input_tokens: number;
  @ApiProperty({ type: 'integer', example: 3_100 })
  readonly output_tokens: number;
  @ApiProperty({ type: 'integer', description: 'Requests that failed or timed out.' })
  readonly failed: number;
  @ApiProperty({ type: 'integer', description: 'Requests that were refused before a node ran them.' })
  readonly rejected: number;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Median time to the first token of the completed streams.',
    example: 190,
  })
  readonly ttft_p50_ms: number | null;
}

export class OverviewNodesRecord {
  @ApiProperty({ type: 'integer', example: 2 })
  readonly online: number;
  @ApiProperty({ type: 'integer', example: 3 })
  readonly total: number;
}

export class AttentionRecord {
  @ApiProperty({ enum: attentionCodes as unknown as string[] })
  readonly code: string;
  @ApiProperty({ description: 'The problem, as text.', example: 'vm: Ollama does not answer.' })
  readonly message: string;
  @ApiProperty({ enum: ['nodes', 'node', 'keys'], description: 'Page of the website where it can be fixed.' })
  readonly place: string;
  @ApiProperty({ type: 'string', nullable: true })
  readonly node_id: string | null;
  @ApiProperty({ type: 'string', nullable: true })
  readonly key_id: string | null;
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'null if it is not known.' })
  readonly since: string | null;
}

/** The first steps of a new account. */
export class ChecklistRecord {
  @ApiProperty({ example: true })
  readonly has_node: boolean;
  @ApiProperty({ example: true })
  readonly has_loaded_model: boolean;
  @ApiProperty({ example: true })
  readonly has_key: boolean;
  @ApiProperty({ example: false })
  readonly has_request: boolean;
}

/** Overview of the account. */
export class OverviewRecord {
  @ApiProperty({ enum: ['overview'] })
  readonly object: 'overview';
  @ApiProperty({ type: () => OverviewFiguresRecord })
  readonly today: OverviewFiguresRecord;
  @ApiProperty({ type: () => OverviewFiguresRecord, description: 'Yesterday up to the same time of day.' })
  readonly yesterday: OverviewFiguresRecord;
  @ApiProperty({ type: () => OverviewNodesRecord })
  readonly nodes: OverviewNodesRecord;
  @ApiProperty({ type: 'integer', description: 'Number of models loaded on at least one node.', example: 2 })
  readonly models_loaded: number;
  @ApiProperty({ type: () => [AttentionRecord], description: 'Most severe first.' })
  readonly attention: readonly AttentionRecord[];
  @ApiProperty({ type: () => ChecklistRecord })
  readonly checklist: ChecklistRecord;
}

export const figuresRecord = (since: Date, until: Date, figures: OverviewFigures): OverviewFiguresRecord => ({
  since: since.toISOString(),
  until: until.toISOString(),
  requests: figures.requests,
  input_tokens: figures.inputTokens,
  output_tokens: figures.outputTokens,
  failed: figures.failed,
  rejected: figures.rejected,
  ttft_p50_ms: figures.ttftP50Ms === null ? null : Math.round(figures.ttftP50Ms),
});

export const attentionRecord = ({ code, message, place, nodeId, keyId, since }: AttentionItem): AttentionRecord => ({
  code,
  message,
  place,
  node_id: nodeId,
  key_id: keyId,
  since: since?.toISOString() ?? null,
});
