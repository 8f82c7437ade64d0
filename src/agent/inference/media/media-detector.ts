/**
 * The fields that {@link addressSources} looks into, as they stand in JSON, and letters of ASCII in escapes, in which they could hide (no
 * serialiser writes those). In text the quotation marks are escaped, so that prose about files and URLs does not match.
 */
const MARKS = /(?:url|Url|URL|"(?:data|file_data|image|audio|video|file))"|\\u00[4-7]/;

/** Nearly every request is text: searched as bytes it costs a third of parsing, and leaves nothing to collect. */
export const mayCarryMedia = (body: Buffer): boolean => MARKS.test(body.toString('latin1'));
