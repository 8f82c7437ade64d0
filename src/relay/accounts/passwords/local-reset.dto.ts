import { IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from 'nest-swagger';

const DAY_MS = 86_400_000;

export class LocalResetDto {
  @ApiProperty()
  @IsString()
  @MaxLength(254)
  email: string;

  @ApiProperty({
    description: 'argon2id hash as a PHC string.',
    example: '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$aGFzaA',
  })
  @MaxLength(256)
  @Matches(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[\w+/]+\$[\w+/]+$/)
  password_hash: string;

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    description: 'Lifetime of the password. Default: until it is changed.',
    example: 3_600_000,
  })
  @IsOptional()
  @IsInt()
  @Min(1_000)
  @Max(DAY_MS)
  lifetime_ms?: number | null;

  @ApiProperty({ type: 'integer', description: 'Milliseconds since 1970.', example: 1_763_632_800_000 })
  @IsInt()
  @Min(0)
  issued_at_ms: number;

  @ApiProperty({ example: '5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8' })
  @Matches(/^[0-9a-f]{64}$/)
  proof: string;
}
