import type { ReactNode } from 'react';
import css from './data.module.css';
import { initials } from './format.ts';

/** A person's picture, or the initials when there is none. */
export function Avatar({
  name,
  src,
  size = 44,
}: {
  name: string;
  src?: string | null | undefined;
  size?: number;
}) {
  return (
    <span
      className={css.avatar}
      style={{ width: size, height: size, fontSize: size * 0.36 }}
      aria-hidden="true"
    >
      {src ? <img src={src} alt="" /> : initials(name)}
    </span>
  );
}

/** A party of a document: who it is, how far, and what can be done. */
export function Person({
  name,
  src,
  photoSize,
  note,
  warnings,
  state,
  actions,
}: {
  name: string;
  /** The person's photo. */
  src?: string | null | undefined;
  /** Pixels of the photo's width, where the person is judged by it. */
  photoSize?: number | undefined;
  note?: ReactNode;
  /** What to look at before this person is trusted: below, across the whole width. */
  warnings?: ReactNode;
  state?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <li className={css.person}>
      <Avatar name={name} src={src} {...(photoSize ? { size: photoSize } : {})} />
      <div className={css.personText}>
        <span className={css.personName}>{name}</span>
        {note && <span className={css.personNote}>{note}</span>}
      </div>
      {state}
      {warnings && <div className={css.personWarnings}>{warnings}</div>}
      {actions && <div className={css.personActions}>{actions}</div>}
    </li>
  );
}
