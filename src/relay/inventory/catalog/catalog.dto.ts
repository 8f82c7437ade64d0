import { IsIn, Length } from 'class-validator';
import { ApiProperty } from 'nest-swagger';

export const catalogSources = ['hf'] as const;

/** The query of `GET /api/catalog`. */
export class SearchCatalogDto {
  @ApiProperty({ enum: catalogSources, description: '`hf`: Hugging Face, or the configured mirror.' })
  @IsIn(catalogSources)
  source: (typeof catalogSources)[number];

  @ApiProperty({ description: 'Words of the name, 1 to 200 characters.', example: 'qwen3 8b' })
  @Length(1, 200)
  q: string;
}

export class CatalogModelRecord {
  @ApiProperty({ enum: ['catalog_model'] })
  readonly object: 'catalog_model';
  @ApiProperty({ description: 'Owner and repository.', example: 'Qwen/Qwen3-8B-GGUF' })
  readonly id: string;
  @ApiProperty({ type: 'integer', example: 120_000 })
  readonly downloads: number;
  @ApiProperty({ type: 'integer', example: 300 })
  readonly likes: number;
  @ApiProperty({ description: 'Gated repository: the node needs a token with access (`HF_TOKEN`).' })
  readonly gated: boolean;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Seconds since 1970.' })
  readonly updated: number | null;
}

export class CatalogListRecord {
  @ApiProperty({ enum: ['list'] })
  readonly object: 'list';
  @ApiProperty({ type: () => [CatalogModelRecord], description: 'Most downloaded first, at most 30.' })
  readonly data: readonly CatalogModelRecord[];
}

export class CatalogFileRecord {
  @ApiProperty({ description: 'Path in the repository.', example: 'Qwen3-8B-Q4_K_M.gguf' })
  readonly path: string;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Value for `source` of an install; null for one part of a split model, which nodes cannot install.',
    example: 'hf:Qwen/Qwen3-8B-GGUF/Qwen3-8B-Q4_K_M.gguf',
  })
  readonly source: string | null;
  @ApiProperty({ type: 'string', nullable: true, description: 'Taken from the file name.', example: 'Q4_K_M' })
  readonly quantization: string | null;
  @ApiProperty({ type: 'integer', nullable: true, example: 5_030_000_000 })
  readonly size_bytes: number | null;
}

export class CatalogRepositoryRecord {
  @ApiProperty({ enum: ['catalog_repository'] })
  readonly object: 'catalog_repository';
  @ApiProperty({ example: 'Qwen/Qwen3-8B-GGUF' })
  readonly id: string;
  @ApiProperty({ description: 'Gated repository: the node needs a token with access (`HF_TOKEN`).' })
  readonly gated: boolean;
  @ApiProperty({ type: 'integer', nullable: true, description: 'In tokens.', example: 40_960 })
  readonly context_length: number | null;
  @ApiProperty({ type: 'string', nullable: true, example: 'qwen3' })
  readonly architecture: string | null;
  @ApiProperty({ type: () => [CatalogFileRecord], description: 'The GGUF files, smallest first, at most 500.' })
  readonly files: readonly CatalogFileRecord[];
}
