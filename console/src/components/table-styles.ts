import classes from './data-table.module.css';
import cardClasses from './data-table-cards.module.css';

/** Class names of the parts of a table, or of a table whose rows are cards: what those do not change, they have of the table. */
export const tableStyles = (cards: boolean): TableStyles => (cards ? cardStyles : classes);

const parts = ['table', 'head', 'body', 'row', 'details', 'unfold'] as const;

type TableStyles = Readonly<Record<string, string>>;

const cardStyles: TableStyles = {
  ...classes,
  ...Object.fromEntries(parts.map((part) => [part, `${classes[part]} ${cardClasses[part]}`])),
};
