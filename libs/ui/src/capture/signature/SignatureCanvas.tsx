import type { ComponentProps } from 'react';
import css from '../capture.module.css';
import { SIGNATURE_HEIGHT, SIGNATURE_WIDTH } from './picture.ts';

type Props = Pick<ComponentProps<'canvas'>, 'ref' | 'aria-label' | 'aria-busy'> & {
  /** True for a canvas without drawing by hand. */
  still?: boolean;
  plain?: boolean;
  hidden?: boolean;
};

/** The canvas of a drawn, typed or uploaded signature. */
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
