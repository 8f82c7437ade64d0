import { Button, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { fieldError, FormError } from '../../components/form-error';
import classes from './settings.module.css';
import { accountQuery } from './settings-queries';

interface AccountNameProps {
  readonly name: string;
  /** Only an owner renames the account. */
  readonly mayChange: boolean;
}

export function AccountName({ name, mayChange }: AccountNameProps) {
  const [typed, setTyped] = useState(name);
  const rename = useMutation({
    mutationFn: () => bodyOf(api.PATCH('/api/account', { body: { name: typed.trim() } })),
    onSuccess(account) {
      queryClient.setQueryData(accountQuery.queryKey, account);
      notifications.show({ message: 'The account is renamed.' });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!rename.isPending) rename.mutate();
      }}
    >
      <div className={classes.row}>
        <TextInput
          label="Name"
          description={mayChange ? 'Shown to people whom you invite.' : 'Owners can change it.'}
          maxLength={64}
          required
          withAsterisk={false}
          readOnly={!mayChange}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={fieldError(rename.error, 'name')}
        />
        {mayChange && (
          <Button
            type="submit"
            variant="default"
            disabled={typed.trim() === '' || typed.trim() === name}
            loading={rename.isPending}
          >
            Rename
          </Button>
        )}
      </div>
      <FormError error={rename.error} fields={['name']} />
    </form>
  );
}
