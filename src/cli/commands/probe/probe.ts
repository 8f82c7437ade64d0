import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { findInferenceAccess } from '../../core/api/inference-key.js';
import { CliError } from '../../core/errors/cli-error.js';
import { CommandEnded } from '../../core/errors/command-ended.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { renderFailure } from '../../core/output/render-failure.js';
import { printData } from '../../core/output/print-data.js';
import { renderTable, type Column } from '../../core/output/table.js';
import { untilStopped } from '../../core/supervision/stop-signals.js';
import type { Invocation } from '../../invocation.js';
import { InferenceClient } from '../chat/inference-client.js';
import { probeModel } from './probe-model.js';
import type { ProbedModel, ProbeRound } from './probe.shape.js';

interface ProbeFlags {
  readonly once?: true;
  readonly model?: readonly string[];
  readonly interval: number;
  readonly timeout: number;
  readonly concurrency: number;
  readonly key?: string;
}

const milliseconds = (value: number | null): string => (value === null ? '' : `${String(value)} ms`);

const columns: readonly Column<ProbedModel>[] = [
  { heading: 'MODEL', value: ({ model }) => model, min: 20 },
  { heading: 'STATE', value: ({ up }) => (up ? 'up' : 'down'), whole: true },
  { heading: 'FIRST TOKEN', value: ({ first_token_ms }) => milliseconds(first_token_ms), align: 'right' },
  { heading: 'TOTAL', value: ({ total_ms }) => milliseconds(total_ms), align: 'right' },
  { heading: 'LAST ERROR', value: ({ last_error: last }) => (last === null ? '' : `${last.code}: ${last.message}`) },
];

/** Runs until it is stopped; a relay that cannot be reached is reported and asked again. */
export async function probe(invocation: Invocation, flags: ProbeFlags): Promise<void> {
  const prober = new Prober(new InferenceClient(await findInferenceAccess(invocation, flags.key)), flags);
  await untilStopped(async (stop) => {
    for (;;) {
      try {
        const round = await prober.round(stop);
        await printRound(invocation, round);
        if (flags.once === true && !round.up) throw new CommandEnded(exitCodes.failure);
      } catch (error) {
        if (stop.aborted) return;
        if (flags.once === true || !(error instanceof CliError)) throw error;
        await printFailedRound(invocation, error);
      }
      if (flags.once === true) return;
      await delay(flags.interval * 1_000, undefined, { signal: stop }).catch(() => undefined);
      if (stop.aborted) return;
    }
  });
}

class Prober {
  /** Keyed by model. */
  private readonly lastErrors = new Map<string, NonNullable<ProbedModel['last_error']>>();

  constructor(
    private readonly client: InferenceClient,
    private readonly flags: ProbeFlags,
  ) {}

  /** @throws CliError when the relay does not answer, or no model is loaded */
  async round(stop: AbortSignal): Promise<ProbeRound> {
    const at = new Date().toISOString();
    const names = this.flags.model ?? (await this.client.loadedModels());
    if (names.length === 0) {
      throw new CliError('no_model_loaded', exitCodes.noEligibleNode, 'no model is loaded', { hint: 'ferry models' });
    }
    const limit = pLimit(this.flags.concurrency);
    const timeoutMs = this.flags.timeout * 1_000;
    const results = await Promise.all(
      names.map((name) => limit(() => probeModel(this.client, name, { timeoutMs, stop }))),
    );
    for (const { model, error } of results) if (error !== null) this.lastErrors.set(model, { ...error, at });
    this.forgetOthers(names);
    const models = results.map((result) => ({ ...result, last_error: this.lastErrors.get(result.model) ?? null }));
    return { object: 'probe', at, up: models.every(({ up }) => up), models, error: null };
  }

  /** Bounds what a program that runs for months remembers. */
  private forgetOthers(names: readonly string[]): void {
    for (const model of this.lastErrors.keys()) if (!names.includes(model)) this.lastErrors.delete(model);
  }
}

/** Programs that read rounds would take a silence for a probe that has ended. */
async function printFailedRound(invocation: Invocation, failure: CliError): Promise<void> {
  const { code, message } = failure;
  const at = new Date().toISOString();
  const round: ProbeRound = { object: 'probe', at, up: false, models: [], error: { code, message } };
  await printData(invocation, round, () => {
    invocation.terminal.note(renderFailure(failure, invocation.terminal.stderrColors));
  });
}

async function printRound(invocation: Invocation, round: ProbeRound): Promise<void> {
  const { terminal, global } = invocation;
  await printData(invocation, round, () => {
    terminal.print(
      renderTable(columns, round.models, terminal.stdoutColors, terminal.columns, {
        wide: global.wide,
        mark: undefined,
      }),
    );
  });
}
