import { useTexts } from '@karaar/i18n';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type Pad from 'signature_pad';
import { Button } from '../../controls/Button.tsx';
import css from '../capture.module.css';
import { captureTexts } from '../texts.ts';
import { SIGNATURE_WIDTH, signatureFile, type SignWayProps } from './picture.ts';
import { SignatureCanvas } from './SignatureCanvas.tsx';

/** The pad draws discs along the stroke; this radius makes the line 2 px wide. */
const LINE_RADIUS = 1;

/** A signature pad: black, 2 px, on white in either theme. */
export default function DrawnSignature({ onChange, onEmpty, still }: SignWayProps) {
  const t = useTexts(captureTexts);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [pad, setPad] = useState<Pad | null>(null);

  /** Reports each stroke; Save reports the same again. */
  const counts = () => {
    const element = canvas.current;
    if (element) onChange(() => signatureFile(element));
  };
  const onStroke = useEffectEvent(counts);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    let gone = false;
    let drawing: Pad | null = null;
    // The pad takes pointer positions in page pixels; the canvas keeps its own 600×300 and content, so that a
    // pad of another size (a rotated phone) shows the same picture.
    const fit = () => {
      if (element.clientWidth === 0) return; // hidden
      const scale = SIGNATURE_WIDTH / element.clientWidth;
      element.getContext('2d')?.setTransform(scale, 0, 0, scale, 0, 0);
      if (drawing) drawing.minWidth = drawing.maxWidth = drawing.dotSize = LINE_RADIUS / scale;
    };
    const observer = new ResizeObserver(fit);
    void import('signature_pad').then(({ default: SignaturePadCore }) => {
      if (gone) return;
      drawing = new SignaturePadCore(element, { penColor: '#000000', backgroundColor: '#ffffff' });
      fit();
      drawing.clear();
      observer.observe(element);
      drawing.addEventListener('beginStroke', () => onStroke());
      drawing.addEventListener('endStroke', () => onStroke());
      setPad(drawing);
    });
    return () => {
      gone = true;
      observer.disconnect();
      drawing?.off();
    };
  }, []);
  // A stroke follows the pointer outside the pad: only the pad itself can stop it.
  useEffect(() => {
    if (!pad || !still) return;
    pad.off();
    return () => pad.on();
  }, [pad, still]);

  const save = () => {
    if (!pad || pad.isEmpty()) return onEmpty();
    counts();
  };
  const clear = () => {
    // Also ends the present stroke: clear alone would leave the pad waiting for its end.
    pad?.off();
    pad?.clear();
    pad?.on();
    onChange(undefined);
  };

  return (
    <>
      <SignatureCanvas ref={canvas} aria-label={t('signCanvas')} aria-busy={!pad} />
      <div className={css.signButtons}>
        <Button compact onClick={clear}>
          {t('signClear')}
        </Button>
        <Button compact icon="tick" onClick={save}>
          {t('signSave')}
        </Button>
      </div>
    </>
  );
}
