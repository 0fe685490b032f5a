import css from './navigation.module.css';

/** A line at the top edge while the next screen loads slowly. */
export function NavigationBar({ active }: { active: boolean }) {
  return active ? <div className={css.bar} aria-hidden="true" /> : null;
}
