import { useTexts } from '@karaar/i18n';
import { useEffect, useRef } from 'react';
import { Button } from '../../controls/Button.tsx';
import css from '../capture.module.css';
import { captureTexts } from '../texts.ts';
import { drawUploaded } from './picture.ts';
import { SignatureCanvas } from './SignatureCanvas.tsx';

/** An earlier signature; valid until it is cleared. */
export function KeptSignature({ file, onClear }: { file: File; onClear: () => void }) {
  const t = useTexts(captureTexts);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let current = true;
    void createImageBitmap(file).then((picture) => {
      if (current && canvas.current) drawUploaded(canvas.current, picture);
      else picture.close();
    });
    return () => {
      current = false;
    };
  }, [file]);
  return (
    <>
      <SignatureCanvas ref={canvas} still plain aria-label={t('signKept')} />
      <div className={css.signButtons}>
        <Button compact onClick={onClear}>
          {t('signClear')}
        </Button>
      </div>
    </>
  );
}
