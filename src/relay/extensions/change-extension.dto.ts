import { IsBoolean, ValidateIf } from 'class-validator';
import { ApiProperty } from 'nest-swagger';

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
