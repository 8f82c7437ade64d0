import tagClasses from '../../components/tag.module.css';
import classes from './computers.module.css';

/** What people have given to a computer to find it by. */
export function Tags({ tags }: { readonly tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <ul className={classes.tags} aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag} className={tagClasses.tag}>
          <bdi>{tag}</bdi>
        </li>
      ))}
    </ul>
  );
}
