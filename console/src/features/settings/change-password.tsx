import { Button, PasswordInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem } from '../../api/api-problem';
import { api, bodyOf } from '../../api/client';
import { whoAmIQuery } from '../../api/queries';
import { queryClient } from '../../api/query-client';
import { fieldError, FormError } from '../../components/form-error';
import { NewPasswordInput } from '../../components/new-password-input';
import classes from './settings.module.css';

export function ChangePassword() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/password', { body: { current_password: current, new_password: next } })),
    onSuccess(me) {
      queryClient.setQueryData(whoAmIQuery.queryKey, me);
      void queryClient.invalidateQueries({ queryKey: ['sessions'] });
      setCurrent('');
      setNext('');
      notifications.show({ message: 'The password is changed. Everything else is signed out.' });
    },
  });
  const isWrong = change.error !== null && ApiProblem.of(change.error).code === 'wrong_email_or_password';
  return (
    <section className={classes.section} aria-labelledby="password">
      <h2 className={classes.heading} id="password">
        Password
      </h2>
      <p className={classes.about}>A new one signs you out everywhere else, also on command lines.</p>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!change.isPending) change.mutate();
        }}
      >
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          error={isWrong ? 'This is not your password.' : undefined}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
        />
        <NewPasswordInput
          label="New password"
          value={next}
          onChange={setNext}
          error={fieldError(change.error, 'new_password')}
        />
        {!isWrong && <FormError error={change.error} fields={['new_password']} />}
        <div>
          <Button type="submit" variant="default" loading={change.isPending} disabled={current === '' || next === ''}>
            Change password
          </Button>
        </div>
      </form>
    </section>
  );
}
