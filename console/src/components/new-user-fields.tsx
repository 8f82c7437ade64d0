import { TextInput } from '@mantine/core';
import { fieldError } from './form-error';
import { NewPasswordInput, passwordFault } from './new-password-input';

export interface NewUser {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export const nobodyYet: NewUser = { name: '', email: '', password: '' };

/** Fields that show their own message. */
export const newcomerFields = ['name', 'email', 'password'];

interface NewUserFieldsProps {
  readonly value: NewUser;
  readonly onChange: (value: NewUser) => void;
  readonly error: unknown;
  /** Whether the first field takes the focus: where the form is all that the page is about. */
  readonly focus?: boolean;
}

/** Name, e-mail address and first password of somebody who joins. */
export function NewUserFields({ value, onChange, error, focus = true }: NewUserFieldsProps) {
  return (
    <>
      <TextInput
        label="Name"
        autoComplete="name"
        autoFocus={focus}
        required
        withAsterisk={false}
        maxLength={64}
        value={value.name}
        onChange={(event) => onChange({ ...value, name: event.currentTarget.value })}
        error={fieldError(error, 'name')}
      />
      <TextInput
        label="E-mail"
        description="To sign in with. Nothing is sent to it."
        type="email"
        autoComplete="username"
        required
        withAsterisk={false}
        value={value.email}
        onChange={(event) => onChange({ ...value, email: event.currentTarget.value })}
        error={fieldError(error, 'email')}
      />
      <NewPasswordInput
        value={value.password}
        onChange={(password) => onChange({ ...value, password })}
        error={fieldError(error, 'password') ?? (error === null ? undefined : passwordFault(value.password))}
      />
    </>
  );
}
