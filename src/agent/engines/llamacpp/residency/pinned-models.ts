/** Persisted choices of the owner: which models to load, with which context length. */
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';

/** As many as a folder may have models; beyond it the oldest choice is dropped. */
const MAX_CHOICES = 1_000;

const choiceSchema = z.object({
  loaded: z.boolean(),
  /** null: the engine's default. */
  context_tokens: z.number().int().min(1).nullable(),
});
const fileSchema = z.object({ version: z.literal(1), models: z.record(z.string(), choiceSchema) });

interface PinnedModel {
  readonly loaded: boolean;
  readonly contextTokens: number | undefined;
}

export class PinnedModels {
  private writing: Promise<void> = Promise.resolve();

  private constructor(
    private readonly file: string | undefined,
    private readonly choices: Map<string, PinnedModel>,
    private readonly onProblem: (problem: string) => void,
  ) {}

  /** @param file undefined: not persisted */
  static async read(file: string | undefined, onProblem: (problem: string) => void): Promise<PinnedModels> {
    const choices = new Map<string, PinnedModel>();
    try {
      if (file !== undefined) {
        const { models } = fileSchema.parse(JSON.parse(await readFile(file, 'utf8')));
        for (const [name, { loaded, context_tokens: contextTokens }] of Object.entries(models)) {
          choices.set(name, { loaded, contextTokens: contextTokens ?? undefined });
        }
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        onProblem(`cannot read the list of loaded models from ${file ?? ''}: ${reasonOf(error)}`);
      }
    }
    return new PinnedModels(file, choices, onProblem);
  }

  /** Undefined without a choice; the configuration then decides. */
  of(engineModel: string): PinnedModel | undefined {
    return this.choices.get(engineModel);
  }

  /** Resolves when written or when the failure is reported, because a failed write must not fail the operation. */
  set(engineModel: string, choice: PinnedModel): Promise<void> {
    this.choices.delete(engineModel);
    this.choices.set(engineModel, choice);
    const [oldest] = this.choices.keys();
    if (this.choices.size > MAX_CHOICES && oldest !== undefined) this.choices.delete(oldest);
    return this.write();
  }

  forget(engineModel: string): Promise<void> {
    return this.choices.delete(engineModel) ? this.write() : Promise.resolve();
  }

  private write(): Promise<void> {
    const { file } = this;
    if (file === undefined) return Promise.resolve();
    const models = Object.fromEntries(
      [...this.choices].map(([name, { loaded, contextTokens = null }]) => [
        name,
        { loaded, context_tokens: contextTokens },
      ]),
    );
    const state = { version: 1, models } satisfies z.input<typeof fileSchema>;
    this.writing = this.writing.then(async () => {
      try {
        await mkdir(path.dirname(file), { recursive: true });
        await writeFileAtomic(file, `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
      } catch (error) {
        this.onProblem(`cannot write the list of loaded models to ${file}: ${reasonOf(error)}`);
      }
    });
    return this.writing;
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
