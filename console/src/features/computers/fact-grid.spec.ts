import { describe, expect, it } from '@jest/globals';
import type { Node } from '../../components/node-facts';
import { gridOf } from './fact-grid';

const some = <One>(count: number): One[] => Array.from<One>({ length: count });

/** As `ComputerFacts` shows them. */
function cellsOf(engines: number, gpus: number): { readonly cells: number; readonly columns: number } {
  const node = {
    online: true,
    engines: some<Node['engines'][number]>(engines),
    gpus: some<Node['gpus'][number]>(gpus),
  };
  const { columns, hasJoined } = gridOf(node);
  const single = [engines <= 1, gpus === 1, hasJoined].filter(Boolean).length;
  return { cells: 6 + single, columns };
}

describe('gridOf', () => {
  it('leaves no cell empty, in two columns neither', () => {
    for (const engines of [0, 1, 2, 5]) {
      for (const gpus of [0, 1, 2, 8]) {
        const { cells, columns } = cellsOf(engines, gpus);
        expect([engines, gpus, cells % columns, cells % 2]).toEqual([engines, gpus, 0, 0]);
      }
    }
  });

  it('has the four facts of an offline computer in one line', () => {
    expect(gridOf({ online: false, engines: [], gpus: [] })).toEqual({ columns: 4, hasJoined: true });
  });
});
