import { useTexts } from '@karaar/i18n';
import { useRef, useState } from 'react';
import { FileDrop } from '../../controls/FileDrop.tsx';
import { Banner } from '../../feedback/States.tsx';
import { captureTexts } from '../texts.ts';
import { drawUploaded, signatureFile, type SignWayProps } from './picture.ts';
import { SignatureCanvas } from './SignatureCanvas.tsx';

/** A picture of a signature, in the size of a drawn one; reported as soon as it is chosen. */
export function UploadedSignature({ onChange }: SignWayProps) {
  const t = useTexts(captureTexts);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [state, setState] = useState<'none' | 'there' | 'failed'>('none');
  // Reading a picture takes time: only the last chosen one is shown and reported.
  const chosen = useRef<File>(undefined);
  const take = async (file: File) => {
    chosen.current = file;
    const picture = await createImageBitmap(file).catch(() => null);
    const element = canvas.current;
    if (!element || chosen.current !== file) return picture?.close();
    if (picture) {
      drawUploaded(element, picture);
      onChange(() => signatureFile(element));
    } else onChange(undefined);
    setState(picture ? 'there' : 'failed');
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
          <Banner tone="rejected">{t('signUploadFailed')}</Banner>
        </div>
      )}
      <SignatureCanvas ref={canvas} still plain hidden={state !== 'there'} aria-label={t('signUploaded')} />
    </>
  );
}
