import { UnstyledButton, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, bodyOf } from '../api/client';
import { whoAmIQuery } from '../api/queries';
import { queryClient } from '../api/query-client';
import { forgetPeople } from '../api/tab-storage';
import { ActionMenu } from '../components/action-menu';
import { CutText } from '../components/cut-text';
import { CheckIcon, MoonIcon, ScreenIcon, SunIcon, UserIcon } from '../components/icons';
import classes from './user-menu.module.css';

const schemes: readonly {
  readonly value: MantineColorScheme;
  readonly label: string;
  readonly Icon: typeof SunIcon;
}[] = [
  { value: 'light', label: 'Light', Icon: SunIcon },
  { value: 'dark', label: 'Dark', Icon: MoonIcon },
  { value: 'auto', label: 'System', Icon: ScreenIcon },
];

/** Without its padding. */
const NAVIGATION_PX = 192;

/** Who is signed in, the colour scheme, and signing out. @param wide shows the name on every screen */
export function UserMenu({ wide = false }: { readonly wide?: boolean }) {
  const { data: me } = useQuery(whoAmIQuery);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const navigate = useNavigate();
  const signOut = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/sign-out')),
    async onSuccess() {
      // First: a page that takes its time to open must not keep the tab from being cleared.
      forgetPeople();
      await navigate({ to: '/sign-in', search: {} });
      queryClient.clear();
    },
  });
  const name = me?.user?.name ?? me?.credential.name ?? '';
  return (
    <ActionMenu
      position="top-start"
      // In the drawer of a phone it is as wide as its row, elsewhere as the open navigation.
      width={wide ? 'target' : NAVIGATION_PX}
      button={
        <UnstyledButton className={classes.user} data-wide={wide || undefined}>
          <UserIcon />
          <span className={classes.hidden}>Signed in as </span>
          {wide ? <CutText text={name} /> : <Name name={name} />}
        </UnstyledButton>
      }
      entries={[
        ...(me?.user
          ? [
              {
                heading: (
                  <span className={classes.person} data-wide={wide || undefined}>
                    <span className={classes.email}>
                      <CutText text={me.user.email} />
                    </span>
                    <span className={classes.role}>{me.role}</span>
                  </span>
                ),
              },
            ]
          : []),
        { label: 'Account', onClick: () => void navigate({ to: '/settings/account' }) },
        'divider',
        { heading: 'Theme' },
        ...schemes.map(({ value, label, Icon }) => ({
          label,
          onClick: () => setColorScheme(value),
          left: <Icon />,
          right: colorScheme === value && <CheckIcon />,
          current: colorScheme === value,
          staysOpen: true,
        })),
        'divider',
        { label: 'API documentation', href: '/docs' },
        { label: 'Sign out', onClick: () => signOut.mutate(), disabled: signOut.isPending },
      ]}
    />
  );
}

/** Of a mail address the domain has a line of its own where there is no room beside it: cut, it would leave none for who it is. */
function Name({ name }: { readonly name: string }) {
  const at = name.lastIndexOf('@');
  return (
    <span className={classes.name}>
      <CutText text={at > 0 ? name.slice(0, at) : name} />
      {at > 0 && <CutText text={name.slice(at)} />}
    </span>
  );
}
