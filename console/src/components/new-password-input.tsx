import { PasswordInput } from '@mantine/core';

/** Code points, as the relay counts them. */
const FEWEST_CHARACTERS = 10;

/** @returns what is wrong with it; undefined: nothing, or nothing was typed yet */
export const passwordFault = (password: string): string | undefined =>
  password !== '' && Array.from(password.normalize('NFKC')).length < FEWEST_CHARACTERS
    ? `At least ${FEWEST_CHARACTERS} characters`
    : undefined;

interface NewPasswordInputProps {
  readonly label?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Of the relay, about this field. */
  readonly error?: string | undefined;
}

/** Tells what is wrong when the field is left, not while it is typed in. */
export function NewPasswordInput({ label = 'Password', value, onChange, error }: NewPasswordInputProps) {
  return (
    <PasswordInput
      label={label}
      description={`${FEWEST_CHARACTERS} to 128 characters`}
      autoComplete="new-password"
      required
      withAsterisk={false}
      minLength={FEWEST_CHARACTERS}
      maxLength={128}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
    />
  );
}
