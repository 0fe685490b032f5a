import { useTexts } from '@karaar/i18n';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '../../controls/Button.tsx';
import { TextField } from '../../controls/Field.tsx';
import css from '../capture.module.css';
import { captureTexts } from '../texts.ts';
import './hand.css';
import { drawTyped, handReady, signatureFile, type SignWayProps } from './picture.ts';
import { SignatureCanvas } from './SignatureCanvas.tsx';

const LONGEST = 60;

/** A name in a handwriting font, for users of a keyboard, a switch or a voice. */
export function TypedSignature({ onChange, onEmpty, signer }: SignWayProps & { signer: string }) {
  const t = useTexts(captureTexts);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [name, setName] = useState(() => signer.trim().slice(0, LONGEST));
  useEffect(() => {
    let current = true;
    void handReady(name).then(() => {
      if (current && canvas.current) drawTyped(canvas.current, name);
    });
    return () => {
      current = false;
    };
  }, [name]);

  /** Reports each change; Save reports the same again. */
  const counts = (typed: string) =>
    onChange(async () => {
      await handReady(typed);
      if (!canvas.current) throw new Error('The typed signature is not shown any more');
      drawTyped(canvas.current, typed);
      return signatureFile(canvas.current);
    });
  const begin = useEffectEvent(() => name !== '' && counts(name));
  useEffect(() => void begin(), []);
  const save = () => (name.trim() === '' ? onEmpty() : counts(name));
  const change = (next: string) => {
    setName(next);
    if (next.trim() === '') onChange(undefined);
    else counts(next);
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
        <Button compact icon="tick" onClick={save}>
          {t('signSave')}
        </Button>
      </div>
    </>
  );
}
