import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { whoAmIQuery } from '../../api/queries';
import { queryClient } from '../../api/query-client';
import { ChangePasswordForm } from '../../components/change-password-form';
import { SettingsSection } from './settings-section';
import classes from './settings.module.css';

export function ChangePassword() {
  const { data: me } = useQuery(whoAmIQuery);
  return (
    <SettingsSection
      id="password"
      title="Password"
      about="Changing it signs out your other browsers and command lines."
    >
      <div className={classes.narrow}>
        <ChangePasswordForm
          email={me?.user?.email ?? ''}
          label="Current password"
          wrong="This is not your password."
          onChanged={(changed) => {
            queryClient.setQueryData(whoAmIQuery.queryKey, changed);
            void queryClient.invalidateQueries({ queryKey: ['sessions'] });
            notifications.show({ message: 'The password is changed. Everything else is signed out.' });
          }}
        />
      </div>
    </SettingsSection>
  );
}
