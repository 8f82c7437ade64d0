/** Media query of the width below which the navigation is at the bottom, as in the style sheets. */
export const PHONE = '(max-width: 640px)';
