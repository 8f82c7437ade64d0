/** Two of two hundred ids end alike once in a thousand times. */
const ID_CHARACTERS = 6;
/** Shorter ones are whole. */
const SHORT_ID = 12;

/** The end, because ids begin with their time: those of one hour begin alike. `ferry explain` takes any part that only one request has. */
export const shortId = (id: string): string => (id.length <= SHORT_ID ? id : `…${id.slice(-ID_CHARACTERS)}`);
