import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import classes from './access.module.css';
import { FormError } from '../../components/form-error';
import { NewUserFields, newcomerFields, nobodyYet } from '../../components/new-user-fields';
import { rememberSignedIn } from './use-enter';
import shared from '../../components/form.module.css';

/** For the first owner, whom a link signed in: name, e-mail address and password of their own. */
export function FirstPasswordForm({ onDone }: { readonly onDone: () => void }) {
  const [newUser, setNewcomer] = useState(nobodyYet);
  const save = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/password/first', { body: { ...newUser, name: newUser.name.trim() } })),
    onSuccess(me) {
      rememberSignedIn(me);
      onDone();
    },
  });
  return (
    <form
      className={shared.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) save.mutate();
      }}
    >
      <NewUserFields value={newUser} onChange={setNewcomer} error={save.error} />
      <FormError error={save.error} fields={newcomerFields} />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onDone}>
          Later
        </Button>
        <Button type="submit" loading={save.isPending}>
          Save and continue
        </Button>
      </div>
    </form>
  );
}
