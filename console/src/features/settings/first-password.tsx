import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem } from '../../api/api-problem';
import { api, bodyOf } from '../../api/client';
import { whoAmIQuery } from '../../api/queries';
import { queryClient } from '../../api/query-client';
import { FormError } from '../../components/form-error';
import { NewUserFields, newcomerFields, nobodyYet } from '../../components/new-user-fields';
import { SettingsSection } from './settings-section';
import classes from './settings.module.css';
import shared from '../../components/form.module.css';

/** For the first owner, whom the link of `ferry up` signed in. */
export function FirstPassword() {
  const [newUser, setNewcomer] = useState(nobodyYet);
  const save = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/password/first', { body: { ...newUser, name: newUser.name.trim() } })),
    onSuccess(me) {
      queryClient.setQueryData(whoAmIQuery.queryKey, me);
      notifications.show({ message: 'You can sign in with your e-mail address and password now.' });
    },
  });
  const isOld = save.error !== null && ApiProblem.of(save.error).code === 'recent_sign_in_needed';
  return (
    <SettingsSection
      id="password"
      title="Password"
      about={
        <>
          You have none yet: you came by the link of <code>ferry up</code>, which works once.
        </>
      }
    >
      <form
        className={`${shared.form} ${classes.narrow}`}
        onSubmit={(event) => {
          event.preventDefault();
          if (!save.isPending) save.mutate();
        }}
      >
        <NewUserFields value={newUser} onChange={setNewcomer} error={save.error} focus={false} />
        {isOld ? (
          <p className={classes.about} role="alert">
            Your sign-in is some time ago. Run <code>ferry up</code> again for a new link, then choose a password.
          </p>
        ) : (
          <FormError error={save.error} fields={newcomerFields} />
        )}
        <div>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </SettingsSection>
  );
}
