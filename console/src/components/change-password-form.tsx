import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem } from '../api/api-problem';
import { api, bodyOf } from '../api/client';
import type { Schemas } from '../api/management-api.types';
import shared from './form.module.css';
import { fieldError, FormError } from './form-error';
import { NewPasswordInput } from './new-password-input';

interface ChangePasswordFormProps {
  readonly email: string;
  /** Of the field for the password that is replaced. */
  readonly label: string;
  /** Said of a wrong one. */
  readonly wrong: string;
  /** The form is what the page is for. */
  readonly focus?: boolean;
  /** Of the button. */
  readonly action?: string;
  readonly onChanged: (me: Schemas['WhoAmI']) => unknown;
}

export function ChangePasswordForm(props: ChangePasswordFormProps) {
  const { email, label, wrong, focus = false, action = 'Change password', onChanged } = props;
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/password', { body: { current_password: current, new_password: next } })),
    onSuccess(me) {
      setCurrent('');
      setNext('');
      return onChanged(me);
    },
  });
  const isWrong = change.error !== null && ApiProblem.of(change.error).code === 'wrong_email_or_password';
  return (
    <form
      className={shared.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!change.isPending) change.mutate();
      }}
    >
      {/* For password managers, which store a password under a name. */}
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <PasswordInput
        label={label}
        autoComplete="current-password"
        autoFocus={focus}
        required
        withAsterisk={false}
        value={current}
        onChange={(event) => setCurrent(event.currentTarget.value)}
        error={isWrong ? wrong : undefined}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
      />
      <NewPasswordInput
        label="New password"
        value={next}
        onChange={setNext}
        error={fieldError(change.error, 'new_password')}
      />
      {!isWrong && <FormError error={change.error} fields={['new_password']} />}
      <Button
        type="submit"
        loading={change.isPending}
        {...(!focus && { variant: 'default', style: { alignSelf: 'flex-start' } })}
      >
        {action}
      </Button>
    </form>
  );
}
