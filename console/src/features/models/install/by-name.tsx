import { Button, Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { engineText, type Node } from '../../../components/node-facts';

interface ByNameProps {
  readonly node: Node;
  readonly pending: boolean;
  readonly onInstall: (source: string, engine: string | null) => void;
}

const ANY = '';

/** In the engine's own terms. */
export function ByName({ node, pending, onInstall }: ByNameProps) {
  const [source, setSource] = useState('');
  const [engine, setEngine] = useState(ANY);
  const wanted = source.trim();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (wanted !== '' && !pending) onInstall(wanted, engine === ANY ? null : engine);
      }}
    >
      <TextInput
        label="Name or address"
        description="qwen3:8b for Ollama; hf:owner/repository/file.gguf or an https address of a GGUF file for the built-in engine."
        value={source}
        onChange={(event) => setSource(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      {node.engines.length > 1 && (
        <Select
          mt="sm"
          label="Engine"
          data={[
            { value: ANY, label: 'The first one that can' },
            ...node.engines.map((engine) => ({ value: engine.name, label: engineText(engine) })),
          ]}
          value={engine}
          onChange={(value) => setEngine(value ?? ANY)}
        />
      )}
      <Group justify="flex-end" mt="md">
        <Button type="submit" disabled={wanted === ''} loading={pending}>
          Install
        </Button>
      </Group>
    </form>
  );
}
