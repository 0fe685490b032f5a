import type { ReactNode } from 'react';
import { Picture, type PictureName } from './Picture.tsx';
import css from './pictures.module.css';

type WelcomeProps = {
  picture: PictureName;
  title: string;
  text?: ReactNode;
  /** The first step, as a primary button. */
  action?: ReactNode;
  /** For a list or a card instead of a whole page. */
  small?: boolean;
};

/** An empty page or list with its picture: the expected content and the first step. */
export function Welcome({ picture, title, text, action, small = false }: WelcomeProps) {
  return (
    <div className={css.welcome} data-small={small || undefined}>
      <Picture name={picture} size={small ? 112 : 160} />
      <h3>{title}</h3>
      {text && <p className={css.welcomeText}>{text}</p>}
      {action && <div className={css.welcomeAction}>{action}</div>}
    </div>
  );
}
