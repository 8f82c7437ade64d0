import { SegmentedControl } from '@mantine/core';
import { count } from '../../components/format';
import { needsAttention, type Node } from '../../components/node-facts';

interface ShowFilterProps {
  readonly nodes: readonly Node[];
  readonly show: string;
  readonly onShow: (show: string) => void;
}

export function ShowFilter({ nodes, show, onShow }: ShowFilterProps) {
  const online = nodes.filter((node) => node.online).length;
  const attention = nodes.filter(needsAttention).length;
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
