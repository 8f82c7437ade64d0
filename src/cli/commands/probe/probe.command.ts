import type { Command } from 'commander';
import { parseCount } from '../../core/args/parse-count.js';
import { lazyAction, type Cli } from '../../invocation.js';

const moreHelp = `
Every round asks each loaded model for one token, so that it costs an engine next to nothing. A model that is only installed is not asked:
no request makes an engine load a model. With --json, every round is one line.

With --once the exit code is 0 when every model has answered, 1 when one has not, 3 when the relay cannot be reached and 6 when no
model is loaded. With --model, a model that is not loaded counts as down.
`;

/** `ferry probe`: whether the models really answer, asked through the relay like any client asks. */
export function registerProbe(program: Command, cli: Cli): void {
  program
    .command('probe')
    .option('--once', 'ask once and end: a check for a monitoring system')
    .option('-m, --model <model...>', 'only these models, which are down when they are not loaded')
    .option('--interval <seconds>', 'pause between two rounds', parseCount, 60)
    .option('--timeout <seconds>', 'when a model counts as down', parseCount, 30)
    .option('--concurrency <number>', 'models that are asked at the same time', parseCount, 2)
    .option('--key <key>', 'API key (FERRY_API_KEY)')
    .description('ask every loaded model for a token, again and again, and report which are down')
    .addHelpText('after', moreHelp)
    .action(lazyAction(cli, async () => (await import('./probe.js')).probe));
}
