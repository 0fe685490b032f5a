import { useTexts } from '@karaar/i18n';
import { useRef, useState } from 'react';
import { FileDrop } from '../../controls/FileDrop.tsx';
import { Notice } from '../../feedback/States.tsx';
import { captureTexts } from '../texts.ts';
import { drawUploaded, signatureFile } from './picture.ts';
import { SignatureCanvas } from './SignatureCanvas.tsx';

/** A picture of a signature; saved as soon as it is chosen, in the size of a drawn one. */
export function UploadedSignature({ onSave }: { onSave: (file: File) => void }) {
  const t = useTexts(captureTexts);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [state, setState] = useState<'none' | 'there' | 'failed'>('none');
  const take = async (file: File) => {
    const element = canvas.current;
    if (!element) return;
    try {
      await drawUploaded(element, file);
      onSave(await signatureFile(element));
      setState('there');
    } catch {
      setState('failed');
    }
  };
  return (
    <>
      <FileDrop
        label={t('signUpload')}
        hint={t('signUploadHint')}
        accept="image/*"
        name="sign"
        onFiles={([file]) => file && void take(file)}
      />
      {state === 'failed' && (
        <div role="alert">
          <Notice tone="rejected">{t('signUploadFailed')}</Notice>
        </div>
      )}
      <SignatureCanvas ref={canvas} still plain hidden={state !== 'there'} aria-label={t('signUploaded')} />
    </>
  );
}
