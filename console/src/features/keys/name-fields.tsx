import { TextInput } from '@mantine/core';

interface NameFieldsProps {
  readonly name: string;
  readonly description: string;
  readonly onName: (name: string) => void;
  readonly onDescription: (description: string) => void;
}

export function NameFields({ name, description, onName, onDescription }: NameFieldsProps) {
  return (
    <>
      <TextInput
        label="Name"
        description="What it is for: one key per program or person."
        value={name}
        onChange={(event) => onName(event.currentTarget.value)}
        maxLength={64}
        autoComplete="off"
        required
        data-autofocus
      />
      <TextInput
        label="Description"
        value={description}
        onChange={(event) => onDescription(event.currentTarget.value)}
        maxLength={200}
        autoComplete="off"
      />
    </>
  );
}
