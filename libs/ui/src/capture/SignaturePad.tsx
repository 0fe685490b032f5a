import { useTexts } from '@karaar/i18n';
import { useEffect, useRef, useState } from 'react';
import type Pad from 'signature_pad';
import { Button } from '../controls/Button.tsx';
import css from './capture.module.css';
import { captureTexts } from './texts.ts';

/** The canvas of the stored picture (spec §9). */
const WIDTH = 600;
const HEIGHT = 300;
/** The pad draws discs along the stroke; this radius makes the line 2 px wide. */
const LINE_RADIUS = 1;

type SignaturePadProps = {
  /** The drawing as signature.png. */
  onSave: (file: File) => void;
  /** The pad was emptied: a saved signature no longer counts. */
  onClear: () => void;
  /** A picture of a signature, for those who cannot draw here. */
  onUpload: (file: File) => void;
  /** Save was pressed on an empty pad. */
  onEmpty: () => void;
};

/** A pad to sign on: 600×300, black, 2 px, on white in either theme. */
export default function SignaturePad({ onSave, onClear, onUpload, onEmpty }: SignaturePadProps) {
  const t = useTexts(captureTexts);
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<Pad | null>(null);
  const upload = useRef<HTMLInputElement>(null);
  const [ready, setReady] = useState(false);

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    let gone = false;
    let drawing: Pad | null = null;
    // The pad takes pointer positions in page pixels; the canvas keeps its own 600×300.
    const fit = () => {
      const scale = WIDTH / element.clientWidth;
      element.getContext('2d')?.setTransform(scale, 0, 0, scale, 0, 0);
      if (drawing) drawing.minWidth = drawing.maxWidth = drawing.dotSize = LINE_RADIUS / scale;
    };
    const observer = new ResizeObserver(() => {
      fit();
      drawing?.fromData(drawing.toData());
    });
    void import('signature_pad').then(({ default: SignaturePadCore }) => {
      if (gone) return;
      drawing = new SignaturePadCore(element, { penColor: '#000000', backgroundColor: '#ffffff' });
      pad.current = drawing;
      fit();
      drawing.clear();
      observer.observe(element);
      setReady(true);
    });
    return () => {
      gone = true;
      observer.disconnect();
      drawing?.off();
    };
  }, []);

  const save = () => {
    if (!pad.current || pad.current.isEmpty()) return onEmpty();
    canvas.current?.toBlob((blob) => {
      if (blob) onSave(new File([blob], 'signature.png', { type: 'image/png' }));
    }, 'image/png');
  };
  const clear = () => {
    pad.current?.clear();
    onClear();
  };

  return (
    <div className={css.signature}>
      <div className={css.canvasBox}>
        <canvas
          ref={canvas}
          width={WIDTH}
          height={HEIGHT}
          className={css.canvas}
          role="img"
          aria-label={t('signCanvas')}
          aria-busy={!ready}
        />
      </div>
      <div className={css.signButtons}>
        <Button compact onClick={clear}>
          {t('signClear')}
        </Button>
        <Button compact icon="tick" onClick={save}>
          {t('signSave')}
        </Button>
        <Button compact variant="quiet" icon="upload" onClick={() => upload.current?.click()}>
          {t('signUpload')}
        </Button>
        <input
          ref={upload}
          type="file"
          accept="image/*"
          hidden
          name="sign"
          onChange={(event) => {
            const file = event.target.files?.[0];
            event.target.value = '';
            if (file) onUpload(file);
          }}
        />
      </div>
    </div>
  );
}
