import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** The accent. Shade 7 on white and white on shade 6 have a contrast above 4.5:1. */
const teal: MantineColorsTuple = [
  '#eefbf8',
  '#d3f3ed',
  '#a6e6da',
  '#70d2c3',
  '#41b8a8',
  '#239c8d',
  '#177f74',
  '#12655d',
  '#11514b',
  '#0f433f',
];

/** Near-black with a trace of the accent, as the grounds and lines in global.css. */
const dark: MantineColorsTuple = [
  '#e6ebeb',
  '#c9d2d2',
  '#98a5a5',
  '#6b7777',
  '#3c4747',
  '#283030',
  '#1a2020',
  '#101414',
  '#0c1010',
  '#080b0b',
];

/** Failures and what cannot be undone. As text on the grounds of both schemes, and under white text, its shades have a contrast above 4.5:1. */
const red: MantineColorsTuple = [
  '#fdf0f0',
  '#fadcdc',
  '#f5b8b8',
  '#ff8f8f',
  '#ff7b7b',
  '#d94141',
  '#c22f2f',
  '#b32828',
  '#9c2121',
  '#7d1a1a',
];

const systemFont =
  '"Inter Variable", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';
const monospaceFont = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';

const closeButtonProps = { 'aria-label': 'Close' };
/** Of dialogs. */
const title = { fontSize: '16px', lineHeight: '24px', fontWeight: 600, overflowWrap: 'anywhere' } as const;
/** Their edge: a shadow cannot be seen on a dark page. */
const content = { border: '1px solid var(--line)' } as const;

export const theme = createTheme({
  colors: { teal, dark, red },
  primaryColor: 'teal',
  primaryShade: { light: 7, dark: 6 },
  fontFamily: systemFont,
  fontFamilyMonospace: monospaceFont,
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '28px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  defaultRadius: '6px',
  cursorType: 'pointer',
  respectReducedMotion: true,
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '20px', lineHeight: '28px' }, h2: { fontSize: '16px', lineHeight: '24px' } },
  },
  components: {
    Modal: {
      defaultProps: {
        centered: true,
        transitionProps: { duration: 120 },
        overlayProps: { backgroundOpacity: 0.4 },
        closeButtonProps,
      },
      styles: { title, content },
    },
    Drawer: {
      defaultProps: { transitionProps: { duration: 120 }, overlayProps: { backgroundOpacity: 0.4 }, closeButtonProps },
      styles: { title, content },
    },
    Notification: { defaultProps: { closeButtonProps } },
    Menu: { defaultProps: { transitionProps: { duration: 100 }, shadow: 'md' } },
    Popover: { defaultProps: { transitionProps: { duration: 100 }, shadow: 'md' } },
    // Room for a dozen options: a list that scrolls is no longer reachable by keyboard for some screen readers.
    Select: { defaultProps: { allowDeselect: false, maxDropdownHeight: 440, checkIconPosition: 'right' } },
  },
});
