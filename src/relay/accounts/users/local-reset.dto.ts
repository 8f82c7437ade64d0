import { IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';

const DAY_MS = 86_400_000;

export class LocalResetDto {
  @IsString()
  @MaxLength(254)
  email: string;

  @MaxLength(256)
  @Matches(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[\w+/]+\$[\w+/]+$/)
  password_hash: string;

  @IsOptional()
  @IsInt()
  @Min(1_000)
  @Max(DAY_MS)
  lifetime_ms?: number | null;

  @IsInt()
  @Min(0)
  issued_at_ms: number;

  @Matches(/^[0-9a-f]{64}$/)
  proof: string;
}
