import { useTexts } from '@karaar/i18n';
import { useState } from 'react';
import { SegmentedControl } from '../fields/SegmentedControl.tsx';
import css from './capture.module.css';
import DrawnSignature from './signature/DrawnSignature.tsx';
import { TypedSignature } from './signature/TypedSignature.tsx';
import { UploadedSignature } from './signature/UploadedSignature.tsx';
import { captureTexts } from './texts.ts';

/** How a signature was made; the record says so. */
export type SignMethod = 'drawn' | 'typed' | 'uploaded';

export type SignaturePadProps = {
  /** The signature as signature.png, 600×300, and the way in which it was made. */
  onSave: (file: File, method: SignMethod) => void;
  /** Another way was chosen or the pad was emptied: a saved signature no longer counts. */
  onClear: () => void;
  /** Save was pressed with nothing there. */
  onEmpty: () => void;
};

/** One of the ways, which knows itself. */
export type OneWayProps = Omit<SignaturePadProps, 'onSave'> & { onSave: (file: File) => void };

type Way = 'draw' | 'type' | 'image';

/** A signature by drawing; by typing, for those who use a keyboard; or by a picture of one. */
export default function SignaturePad({ onSave, onClear, onEmpty }: SignaturePadProps) {
  const t = useTexts(captureTexts);
  const [way, setWay] = useState<Way>('draw');
  const choose = (next: Way) => {
    setWay(next);
    onClear();
  };
  const save = (method: SignMethod) => (file: File) => onSave(file, method);
  return (
    <div className={css.signature}>
      <SegmentedControl<Way>
        label={t('signWay')}
        value={way}
        onChange={choose}
        options={[
          { value: 'draw', label: t('signDraw') },
          { value: 'type', label: t('signType') },
          { value: 'image', label: t('signImage') },
        ]}
      />
      {way === 'draw' && <DrawnSignature onSave={save('drawn')} onClear={onClear} onEmpty={onEmpty} />}
      {way === 'type' && <TypedSignature onSave={save('typed')} onClear={onClear} onEmpty={onEmpty} />}
      {way === 'image' && <UploadedSignature onSave={save('uploaded')} />}
    </div>
  );
}
