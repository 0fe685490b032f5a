import { useTexts } from '@karaar/i18n';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../controls/Button.tsx';
import { TextField } from '../../controls/Field.tsx';
import css from '../capture.module.css';
import type { OneWayProps } from '../SignaturePad.tsx';
import { captureTexts } from '../texts.ts';
import './hand.css';
import { drawTyped, signatureFile } from './picture.ts';
import { SignatureCanvas } from './SignatureCanvas.tsx';

const LONGEST = 60;

/** A name written in a hand: for a keyboard, a switch or a voice. */
export function TypedSignature({ onSave, onClear, onEmpty }: OneWayProps) {
  const t = useTexts(captureTexts);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [name, setName] = useState('');
  useEffect(() => {
    if (canvas.current) void drawTyped(canvas.current, name);
  }, [name]);

  const save = async () => {
    const element = canvas.current;
    if (!element || name.trim() === '') return onEmpty();
    await drawTyped(element, name.trim());
    onSave(await signatureFile(element));
  };
  const change = (next: string) => {
    setName(next);
    onClear();
  };
  return (
    <>
      <TextField
        label={t('signName')}
        value={name}
        maxLength={LONGEST}
        autoComplete="name"
        onChange={(event) => change(event.target.value)}
      />
      <SignatureCanvas ref={canvas} still aria-label={`${t('signTyped')} ${name}`} />
      <div className={css.signButtons}>
        <Button compact onClick={() => change('')}>
          {t('signClear')}
        </Button>
        <Button compact icon="tick" onClick={() => void save()}>
          {t('signSave')}
        </Button>
      </div>
    </>
  );
}
