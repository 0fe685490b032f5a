import { portraitCut, type FaceBox } from '@karaar/faces/portrait';
import { useState, type CSSProperties, type ReactNode } from 'react';
import css from './data.module.css';
import { initials } from './format.ts';

/** A person's photo: cropped around the face, or whole if the face is unknown. */
function Portrait({ src, face }: { src: string; face: FaceBox | undefined }) {
  const [style, setStyle] = useState<CSSProperties>();
  const cut = ({ naturalWidth: width, naturalHeight: height }: HTMLImageElement) => {
    if (!face) return;
    const shown = portraitCut(face, { width, height }, 1);
    const percent = (part: number, whole: number) => `${(part / whole) * 100}%`;
    setStyle({
      width: percent(width, shown.width),
      height: percent(height, shown.height),
      left: percent(-shown.left, shown.width),
      top: percent(-shown.top, shown.height),
    });
  };
  return <img src={src} alt="" style={style} onLoad={(event) => cut(event.currentTarget)} />;
}

/** A person's photo, or the initials of a person without one. */
export function Avatar({
  name,
  src,
  face,
  size = 44,
}: {
  name: string;
  src?: string | null | undefined;
  face?: FaceBox | undefined;
  size?: number;
}) {
  return (
    <span
      className={css.avatar}
      style={{ width: size, height: size, fontSize: size * 0.36 }}
      aria-hidden="true"
    >
      {src ? <Portrait src={src} face={face} /> : initials(name)}
    </span>
  );
}

/** A party of a document: name, state and actions. */
export function Person({
  name,
  src,
  face,
  photoSize,
  note,
  warnings,
  state,
  actions,
}: {
  name: string;
  src?: string | null | undefined;
  face?: FaceBox | undefined;
  /** The photo's width in pixels, if the person must be recognisable. */
  photoSize?: number | undefined;
  note?: ReactNode;
  /** Warnings about the person, below, across the whole width. */
  warnings?: ReactNode;
  state?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <li className={css.person}>
      <Avatar name={name} src={src} face={face} {...(photoSize ? { size: photoSize } : {})} />
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
