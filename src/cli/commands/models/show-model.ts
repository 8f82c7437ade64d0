import { printable } from '../../../kernel/printable.js';
import { connect } from '../../core/api/connect.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { renderFacts } from '../../core/output/facts.js';
import { printData } from '../../core/output/print-data.js';
import { formatBytes } from '../../core/output/quantities.js';
import { renderTable, type Column } from '../../core/output/table.js';
import type { Invocation } from '../../invocation.js';
import { nodesWithModels, stateText, summarize } from './node-models.js';

type Placed = Schemas['NodeModel'] & { readonly node: string };

const columns: readonly Column<Placed>[] = [
  { heading: 'NODE', value: ({ node }) => node },
  { heading: 'ENGINE', value: ({ engine }) => engine },
  { heading: 'STATE', value: stateText },
  { heading: 'SIZE', value: ({ size_bytes }) => (size_bytes === null ? '' : formatBytes(size_bytes)), align: 'right' },
  { heading: 'KEY', value: ({ key }) => key },
];

/** One model: its names, and its locations. @param name id, selector or display name */
export async function showModel(invocation: Invocation, name: string): Promise<void> {
  const api = await connect(invocation);
  const models = await api.list<Schemas['Model']>('/api/models');
  const model = models.find(({ id, selector, display_name }) => [id, selector, display_name].includes(name));
  if (model === undefined) {
    throw new CliError('model_not_found', exitCodes.notFound, `there is no model "${name}"`, {
      hint: `ferry models list, or ferry models search ${name}`,
    });
  }
  const { terminal } = invocation;
  const nodes = await nodesWithModels(api);
  await printData(invocation, model, () => {
    const placed = nodes.flatMap((node) =>
      node.models
        .filter(({ selector }) => selector === model.selector)
        .map((own): Placed => ({ ...own, node: node.name })),
    );
    const { context_length: context, size_bytes: size } = summarize(placed);
    const facts: [string, string | null][] = [
      ['Model', model.id],
      ['Selector', model.selector],
      ['Context', context === null ? null : `${String(context)} tokens`],
      ['Size', size === null ? null : formatBytes(size)],
    ];
    terminal.print(renderFacts(facts, terminal.stdoutColors));
    terminal.print('');
    terminal.print(renderTable(columns, placed, terminal.stdoutColors, terminal.columns));
    terminal.note(
      model.loaded ? `  next: ferry chat -m ${printable(model.id)}` : `  next: ferry run ${printable(model.id)}`,
    );
  });
}
