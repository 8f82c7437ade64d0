import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { FormError } from '../../components/form-error';
import { NewUserFields, newcomerFields, nobodyYet } from '../../components/new-user-fields';
import { useEnter } from './use-enter';
import shared from '../../components/form.module.css';

/** An account of one's own, where the relay was set up to let anybody have one. */
export function SignUpForm() {
  const enter = useEnter();
  const [newUser, setNewcomer] = useState(nobodyYet);
  const signUp = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/sign-up', { body: { ...newUser, name: newUser.name.trim() } })),
    onSuccess: (me) => enter(me),
  });
  return (
    <form
      className={shared.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!signUp.isPending) signUp.mutate();
      }}
    >
      <NewUserFields value={newUser} onChange={setNewcomer} error={signUp.error} />
      <FormError error={signUp.error} fields={newcomerFields} />
      <Button type="submit" loading={signUp.isPending}>
        Create account
      </Button>
    </form>
  );
}
