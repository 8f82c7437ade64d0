import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { FormError } from '../../components/form-error';
import { NewcomerFields, newcomerFields, nobodyYet } from '../../components/newcomer-fields';
import { useEnter } from './use-enter';
import shared from '../../components/form.module.css';

/** An account of one's own, where the relay was set up to let anybody have one. */
export function SignUpForm() {
  const enter = useEnter();
  const [newcomer, setNewcomer] = useState(nobodyYet);
  const signUp = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/sign-up', { body: { ...newcomer, name: newcomer.name.trim() } })),
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
      <NewcomerFields value={newcomer} onChange={setNewcomer} error={signUp.error} />
      <FormError error={signUp.error} fields={newcomerFields} />
      <Button type="submit" loading={signUp.isPending}>
        Create account
      </Button>
    </form>
  );
}
