import { printable } from '../../../kernel/printable.js';
import { connect } from '../../core/api/connect.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { renderFacts } from '../../core/output/facts.js';
import { printData } from '../../core/output/print-data.js';
import { formatBytes } from '../../core/output/quantities.js';
import { renderTable, type Column } from '../../core/output/table.js';
import type { Invocation } from '../../invocation.js';
import { findModel } from './find-model.js';
import { contextText, markOfModel, nodesWithModels, sizeText, stateText, summarize, withState } from './node-models.js';

type ModelOnNode = Schemas['NodeModel'] & { readonly node: string };

const columns: readonly Column<ModelOnNode>[] = [
  { heading: 'NODE', value: ({ node }) => node, min: 14 },
  { heading: 'STATE', value: stateText, whole: true },
  { heading: 'SIZE', value: sizeText, align: 'right' },
  { heading: 'CONTEXT', value: contextText, align: 'right', expendable: 1 },
  { heading: 'ENGINE', value: ({ engine }) => engine, expendable: 2 },
  { heading: 'KEY', value: ({ key }) => key, whole: true, wide: true },
];

/** One model: its names, and its locations. @param name id, selector or a part of the name */
export async function showModel(invocation: Invocation, name: string): Promise<void> {
  const api = await connect(invocation);
  const model = await findModel(api, name);
  const { terminal, global } = invocation;
  const nodes = await nodesWithModels(api);
  await printData(invocation, withState(model, nodes), () => {
    const placed = nodes.flatMap((node) =>
      node.models
        .filter(({ selector }) => selector === model.selector)
        .map((own): ModelOnNode => ({ ...own, node: node.name })),
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
    const form = { mark: markOfModel, wide: global.wide };
    terminal.print(renderTable(columns, placed, terminal.stdoutColors, terminal.columns, form));
    terminal.note(
      model.loaded ? `  next: ferry chat -m ${printable(model.id)}` : `  next: ferry run ${printable(model.id)}`,
    );
  });
}
