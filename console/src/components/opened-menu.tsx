import { Menu } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ActionMenuProps, MenuAction } from './action-menu';

/** Opens by itself: it takes the place of a button that was pressed. */
export default function OpenedMenu({ button, entries, position = 'bottom-end', width }: ActionMenuProps) {
  const [opened, setOpened] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // The pressed button is gone, and the focus with it. The menu gives the focus back to what has it now.
    place.current?.querySelector('button')?.focus();
    setOpened(true);
  }, []);
  return (
    // Without the placeholder, which takes the focus at first: only menu items may be in a menu.
    <Menu
      opened={opened}
      onChange={setOpened}
      position={position}
      returnFocus
      withInitialFocusPlaceholder={false}
      {...(width !== undefined && { width })}
    >
      <span ref={place} style={{ display: 'contents' }}>
        <Menu.Target>{button}</Menu.Target>
      </span>
      <Menu.Dropdown>
        {entries.map((entry, index) => {
          if (entry === 'divider') return <Menu.Divider key={index} />;
          if ('heading' in entry) return <Menu.Label key={index}>{entry.heading}</Menu.Label>;
          return <Entry key={index} action={entry} />;
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

function Entry({ action }: { readonly action: MenuAction }) {
  const { label, onClick, href, left, right, current = false, disabled = false, grave = false, staysOpen } = action;
  const props = {
    leftSection: left,
    rightSection: right,
    disabled,
    'aria-current': current || undefined,
    ...(grave && { color: 'red' }),
    ...(staysOpen && { closeMenuOnClick: false }),
    ...(onClick && { onClick }),
  };
  if (href === undefined) return <Menu.Item {...props}>{label}</Menu.Item>;
  return (
    <Menu.Item {...props} component="a" href={href} target="_blank" rel="noreferrer">
      {label}
    </Menu.Item>
  );
}
