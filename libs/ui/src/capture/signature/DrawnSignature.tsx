import { useTexts } from '@karaar/i18n';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type Pad from 'signature_pad';
import { Button } from '../../controls/Button.tsx';
import css from '../capture.module.css';
import type { OneWayProps } from '../SignaturePad.tsx';
import { captureTexts } from '../texts.ts';
import { SIGNATURE_WIDTH, signatureFile } from './picture.ts';
import { SignatureCanvas } from './SignatureCanvas.tsx';

/** The pad draws discs along the stroke; this radius makes the line 2 px wide. */
const LINE_RADIUS = 1;

/** A pad to sign on: black, 2 px, on white in either theme. */
export default function DrawnSignature({ onSave, onClear, onEmpty }: OneWayProps) {
  const t = useTexts(captureTexts);
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<Pad | null>(null);
  const [ready, setReady] = useState(false);
  // A file takes a moment to be made: one of a pad that was emptied meanwhile does not count.
  const drawnNo = useRef(0);

  /** What is drawn is the signature, with each stroke: Save says the same once more. */
  const counts = () => {
    drawnNo.current += 1;
    const now = drawnNo.current;
    if (canvas.current)
      void signatureFile(canvas.current).then((file) => {
        if (drawnNo.current === now) onSave(file);
      });
  };
  const onStroke = useEffectEvent(counts);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    let gone = false;
    let drawing: Pad | null = null;
    // The pad takes pointer positions in page pixels; the canvas keeps its own 600×300.
    const fit = () => {
      const scale = SIGNATURE_WIDTH / element.clientWidth;
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
      drawing.addEventListener('endStroke', () => onStroke());
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
    counts();
  };
  const clear = () => {
    drawnNo.current += 1;
    pad.current?.clear();
    onClear();
  };

  return (
    <>
      <SignatureCanvas ref={canvas} aria-label={t('signCanvas')} aria-busy={!ready} />
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
