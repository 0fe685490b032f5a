import css from './navigation.module.css';

/** A line at the top edge while the next screen takes longer than a moment. */
export function NavigationBar({ active }: { active: boolean }) {
  return active ? <div className={css.bar} aria-hidden="true" /> : null;
}
