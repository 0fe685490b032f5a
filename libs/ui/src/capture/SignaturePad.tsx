import { useTexts } from '@karaar/i18n';
import { useState } from 'react';
import { SegmentedControl } from '../fields/SegmentedControl.tsx';
import css from './capture.module.css';
import DrawnSignature from './signature/DrawnSignature.tsx';
import { TypedSignature } from './signature/TypedSignature.tsx';
import { UploadedSignature } from './signature/UploadedSignature.tsx';
import { captureTexts } from './texts.ts';

export type SignaturePadProps = {
  /** The signature as signature.png, 600×300, whichever way it was given. */
  onSave: (file: File) => void;
  /** Another way was chosen or the pad was emptied: a saved signature no longer counts. */
  onClear: () => void;
  /** A picture of a signature was chosen; made into signature.png as well. `onSave` when absent. */
  onUpload?: (file: File) => void;
  /** Save was pressed with nothing there. */
  onEmpty: () => void;
};

type Way = 'draw' | 'type' | 'image';

/** A signature by drawing; by typing, for those who use a keyboard; or by a picture of one. */
export default function SignaturePad({ onSave, onClear, onUpload = onSave, onEmpty }: SignaturePadProps) {
  const t = useTexts(captureTexts);
  const [way, setWay] = useState<Way>('draw');
  const choose = (next: Way) => {
    setWay(next);
    onClear();
  };
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
      {way === 'draw' && <DrawnSignature onSave={onSave} onClear={onClear} onEmpty={onEmpty} />}
      {way === 'type' && <TypedSignature onSave={onSave} onClear={onClear} onEmpty={onEmpty} />}
      {way === 'image' && <UploadedSignature onSave={onUpload} />}
    </div>
  );
}
