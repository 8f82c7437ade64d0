/** Media query of the width below which tables become cards and the navigation is at the bottom, as in the style sheets. */
export const PHONE = '(max-width: 640px)';
