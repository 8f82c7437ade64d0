import { Select } from '@mantine/core';

interface ComputerChoiceProps {
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly chosen: string;
  readonly onChoose: (value: string) => void;
}

/** In a question about a model: on which of its computers. Nothing where it is on one. */
export function ComputerChoice({ choices, chosen, onChoose }: ComputerChoiceProps) {
  if (choices.length === 1) return null;
  return <Select label="Computer" mb="sm" data={choices} value={chosen} onChange={(value) => onChoose(value ?? '')} />;
}
