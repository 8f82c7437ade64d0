import { IsBoolean, ValidateIf } from 'class-validator';
import { ApiProperty } from 'nest-swagger';
import { extensionNames, type ExtensionName } from '../../kernel/extension.js';

export class ChangeExtensionDto {
  @ApiProperty({
    type: 'boolean',
    nullable: true,
    description: 'null: as `FERRY_EXTENSIONS` says for accounts that have not chosen.',
    example: true,
  })
  @ValidateIf(({ enabled }: ChangeExtensionDto) => enabled !== null)
  @IsBoolean()
  enabled: boolean | null;
}

export class ExtensionRecord {
  @ApiProperty({ enum: ['extension'] })
  readonly object: 'extension';
  @ApiProperty({ enum: [...extensionNames] })
  readonly name: ExtensionName;
  @ApiProperty({ description: 'Whether it is on for the account.' })
  readonly enabled: boolean;
  @ApiProperty({ description: 'Whether `FERRY_EXTENSIONS` switches it on for accounts that have not chosen.' })
  readonly default_enabled: boolean;
  @ApiProperty({
    example: 'A program can ask for a single model: `GET /v1/models/{id}` returns its entry of the model list.',
  })
  readonly summary: string;
  @ApiProperty({ description: 'Programs that need it.', example: 'Programs that look a model up before they use it.' })
  readonly gains: string;
}

export class ExtensionList {
  @ApiProperty({ enum: ['list'] })
  readonly object: 'list';
  @ApiProperty({ type: () => [ExtensionRecord] })
  readonly data: readonly ExtensionRecord[];
}
