import { Menu, UnstyledButton, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, bodyOf } from '../api/client';
import { whoAmIQuery } from '../api/queries';
import { queryClient } from '../api/query-client';
import { CheckIcon, MoonIcon, ScreenIcon, SunIcon, UserIcon } from '../components/icons';
import classes from './user-menu.module.css';

const schemes: readonly {
  readonly value: MantineColorScheme;
  readonly label: string;
  readonly Icon: typeof SunIcon;
}[] = [
  { value: 'light', label: 'Light', Icon: SunIcon },
  { value: 'dark', label: 'Dark', Icon: MoonIcon },
  { value: 'auto', label: 'As the system', Icon: ScreenIcon },
];

/** Who is signed in, the colour scheme, and signing out. @param wide shows the name on every screen */
export function UserMenu({ wide = false }: { readonly wide?: boolean }) {
  const { data: me } = useQuery(whoAmIQuery);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const navigate = useNavigate();
  const signOut = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/sign-out')),
    async onSuccess() {
      await navigate({ to: '/sign-in', search: {} });
      queryClient.clear();
    },
  });
  const name = me?.user?.name ?? me?.credential.name ?? '';
  return (
    <Menu position="top-start" width={220}>
      <Menu.Target>
        <UnstyledButton className={classes.user} data-wide={wide || undefined} aria-label={`Signed in as ${name}`}>
          <UserIcon />
          <span className={classes.name}>{name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {me?.user && (
          <Menu.Label>
            <span className={classes.name}>{me.user.email}</span>
            {me.role}
          </Menu.Label>
        )}
        <Menu.Item onClick={() => void navigate({ to: '/settings/account' })}>Account</Menu.Item>
        <Menu.Divider />
        <Menu.Label>Colours</Menu.Label>
        {schemes.map(({ value, label, Icon }) => (
          <Menu.Item
            key={value}
            closeMenuOnClick={false}
            onClick={() => setColorScheme(value)}
            leftSection={<Icon />}
            rightSection={colorScheme === value && <CheckIcon />}
            aria-current={colorScheme === value || undefined}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component="a" href="/docs" target="_blank" rel="noreferrer">
          API documentation
        </Menu.Item>
        <Menu.Item onClick={() => signOut.mutate()} disabled={signOut.isPending}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
