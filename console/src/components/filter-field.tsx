import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { SearchIcon } from './icons';

/** Browsers refuse more than a hundred changes of the URL in half a minute. */
const SETTLED_MS = 250;

interface FilterFieldProps {
  readonly label: string;
  readonly value: string;
  /** With every character. */
  readonly onType: (text: string) => void;
  /** After a pause: for the URL, or for a request. */
  readonly onSettle?: (text: string) => void;
  /** Gives its width, where something shares its line. */
  readonly className?: string | undefined;
}

export function FilterField({ label, value, onType, onSettle, className }: FilterFieldProps) {
  const settle = useDebouncedCallback((text: string) => onSettle?.(text), SETTLED_MS);
  const type = (text: string) => {
    onType(text);
    settle(text);
  };
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={`${label}…`}
      value={value}
      onChange={(event) => type(event.currentTarget.value)}
      leftSection={<SearchIcon />}
      rightSection={value !== '' && <CloseButton size="sm" aria-label="Clear the filter" onClick={() => type('')} />}
      {...(className === undefined ? { w: { base: '100%', xs: 260 } } : { className })}
      size="sm"
    />
  );
}
