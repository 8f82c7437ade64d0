import { SegmentedControl } from '@mantine/core';
import { count } from '../../components/format';
import { isGone, type GoneNodes } from '../../components/gone-nodes';
import { needsAttention, type Node } from '../../components/node-facts';

interface ShowFilterProps {
  readonly nodes: readonly Node[];
  readonly gone: GoneNodes;
  readonly show: string;
  readonly onShow: (show: string) => void;
}

export function ShowFilter({ nodes, gone, show, onShow }: ShowFilterProps) {
  const online = nodes.filter((node) => node.online).length;
  const attention = nodes.filter((node) => needsAttention(node, isGone(gone, node))).length;
  return (
    <SegmentedControl
      size="xs"
      aria-label="Show"
      value={show}
      onChange={onShow}
      data={[
        { value: '', label: `All ${count(nodes.length)}` },
        { value: 'online', label: `Online ${count(online)}` },
        { value: 'offline', label: `Offline ${count(nodes.length - online)}` },
        { value: 'attention', label: `Attention ${count(attention)}` },
      ]}
    />
  );
}
