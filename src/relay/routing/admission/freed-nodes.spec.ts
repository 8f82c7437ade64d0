import { describe, expect, it } from '@jest/globals';
import type { NodeId } from '../../../kernel/ids.js';
import { FreedNodes } from './freed-nodes.js';

const node = (number: number): NodeId => `nd_${number}` as NodeId;

function readFrom(freed: FreedNodes, position: number): readonly NodeId[] | 'missing' {
  const read: NodeId[] = [];
  return freed.readSince(position, (nodeId) => read.push(nodeId)) ? read : 'missing';
}

describe('nodes at which a slot became free', () => {
  it('nodes at which a slot became free are read once each, from where the last reading ended', () => {
    const freed = new FreedNodes();
    freed.note(node(1));
    freed.note(node(2));
    expect(readFrom(freed, 0)).toEqual([node(1), node(2)]);
    const { end } = freed;
    expect(readFrom(freed, end)).toEqual([]);
    freed.note(node(1));
    expect(readFrom(freed, end)).toEqual([node(1)]);
  });

  it('nodes at which a slot became free are all kept for a reader up to the limit, and reported as missing beyond it', () => {
    const freed = new FreedNodes();
    for (let number = 0; number < 1_500; number += 1) freed.note(node(number));
    expect(readFrom(freed, 0)).toBe('missing');
    expect(readFrom(freed, 475)).toBe('missing');
    const kept = readFrom(freed, 476);
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([1_024, node(476), node(1_499)]);
  });
});
