import { Radio, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { whoAmIQuery } from '../../api/queries';
import { rolesToGive, type Role } from '../../api/roles';
import { queryClient } from '../../api/query-client';
import { FormDialog } from '../../components/form-dialog';
import { fieldError } from '../../components/form-error';
import { roleMeanings, roleNames, usersQuery, type User } from './settings-queries';
import shared from '../../components/form.module.css';
import classes from './settings.module.css';

interface ChangeMemberProps {
  readonly user: User;
  readonly onClose: () => void;
}

export function ChangeMember({ user, onClose }: ChangeMemberProps) {
  const { data: me } = useQuery(whoAmIQuery);
  const [name, setName] = useState(user.name);
  const [role, setRole] = useState<Role>(user.role);
  const change = useMutation({
    mutationFn: () =>
      bodyOf(
        api.PATCH('/api/users/{userId}', {
          params: { path: { userId: user.user_id } },
          body: { ...(name.trim() !== user.name && { name: name.trim() }), ...(role !== user.role && { role }) },
        }),
      ),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: usersQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: whoAmIQuery.queryKey });
      notifications.show({ message: 'Saved.' });
      onClose();
    },
  });
  const nameError = fieldError(change.error, 'name');
  const isChanged = name.trim() !== user.name || role !== user.role;
  return (
    <FormDialog
      title="Name and role"
      action="Save"
      ready={isChanged && name.trim() !== ''}
      pending={change.isPending}
      error={nameError === undefined ? change.error : null}
      onSubmit={change.mutate}
      onClose={onClose}
    >
      <div className={shared.form}>
        {user.email !== user.name && <p className={classes.sub}>{user.email}</p>}
        <TextInput
          label="Name"
          required
          withAsterisk={false}
          maxLength={64}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={nameError}
        />
        <RoleChoice roles={rolesToGive(me?.role)} value={role} onChange={setRole} />
        {role !== user.role && <div>A new role signs their browsers out.</div>}
      </div>
    </FormDialog>
  );
}

interface RoleChoiceProps {
  /** That may be given. */
  readonly roles: readonly Role[];
  readonly value: Role;
  readonly onChange: (role: Role) => void;
}

export const RoleChoice = ({ roles, value, onChange }: RoleChoiceProps) => (
  <Radio.Group label="Role" value={value} onChange={(role) => onChange(role)}>
    <Stack gap="xs" mt="xs">
      {roles.map((role) => (
        <Radio key={role} value={role} label={roleNames[role]} description={roleMeanings[role]} />
      ))}
    </Stack>
  </Radio.Group>
);
