import { IsBoolean, IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from 'nest-swagger';
import type { NodeId } from '../../kernel/ids.js';
import { operationKinds, type OperationKind } from '../../link/messages.js';

const MOST_TOKENS = 10_000_000;

/** In an optional field, null means the same as absence. */
export class CreateOperationDto {
  @ApiProperty({ enum: ['install', 'load', 'unload', 'remove'] })
  @IsIn(operationKinds)
  kind: OperationKind;

  @ApiPropertyOptional({ type: 'string', nullable: true, description: 'Default: the only possible node.' })
  @IsOptional()
  @Matches(/^nd_[0-9a-f]{32}$/, { message: '$property must be the id of a node' })
  node_id?: NodeId | null;

  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    description: 'Public id, selector, or the name in its engine. Not for an install.',
  })
  @IsOptional()
  @Matches(/^[^\p{C}\p{Zl}\p{Zp}]{1,600}$/u, { message: '$property must be the id, selector or key of a model' })
  model?: string | null;

  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    description:
      'For an install: a name that the engine knows, such as `qwen3:8b`, `hf:owner/repo/file.gguf`, or an https URL without credentials.',
    example: 'qwen3:8b',
  })
  @IsOptional()
  @Matches(/^(?![a-z][a-z0-9+.-]*:\/\/[^/?#]*@)[^\p{C}\p{Zl}\p{Zp}]{1,2000}$/iu, {
    message: '$property must be one line without a user name or password in it',
  })
  source?: string | null;

  @ApiPropertyOptional({
    type: 'boolean',
    nullable: true,
    description: 'For an install: load the model afterwards, even if the client has disconnected. Default: false.',
  })
  @IsOptional()
  @IsBoolean()
  load?: boolean | null;

  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    description: 'Name of the engine on the node, if several are possible.',
  })
  @IsOptional()
  @Matches(/^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u, { message: '$property must be the name of an engine' })
  engine?: string | null;

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    description: 'For a load: the context length. Default: decided by the engine.',
  })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MOST_TOKENS)
  context_tokens?: number | null;
}
