import type { ComponentProps } from 'react';
import css from '../capture.module.css';
import { SIGNATURE_HEIGHT, SIGNATURE_WIDTH } from './picture.ts';

type Props = Pick<ComponentProps<'canvas'>, 'ref' | 'aria-label' | 'aria-busy'> & {
  /** Nothing is drawn on it by hand. */
  still?: boolean;
  /** Without the line to sign on. */
  plain?: boolean;
  hidden?: boolean;
};

/** The canvas on which a signature is drawn, typed or placed. */
export function SignatureCanvas({ still, plain, hidden, ...canvas }: Props) {
  return (
    <div className={css.canvasBox} data-plain={plain || undefined} hidden={hidden}>
      <canvas
        {...canvas}
        width={SIGNATURE_WIDTH}
        height={SIGNATURE_HEIGHT}
        className={css.canvas}
        data-still={still || undefined}
        role="img"
      />
    </div>
  );
}
