import { useTexts } from '@karaar/i18n';
import { useState } from 'react';
import { SegmentedControl } from '../fields/SegmentedControl.tsx';
import css from './capture.module.css';
import DrawnSignature from './signature/DrawnSignature.tsx';
import { KeptSignature } from './signature/KeptSignature.tsx';
import type { Signed, SignMethod, SignWayProps } from './signature/picture.ts';
import { TypedSignature } from './signature/TypedSignature.tsx';
import { UploadedSignature } from './signature/UploadedSignature.tsx';
import { captureTexts } from './texts.ts';

export type SignaturePadProps = {
  /** Receives the content after each change; undefined for an empty pad. */
  onChange: (signed: Signed | undefined) => void;
  /** An earlier signature, shown until it is cleared. */
  kept?: File | undefined;
  /** The person's name, with which a typed signature begins. */
  name?: string | undefined;
  /** Called if Save was pressed on an empty pad. */
  onEmpty: () => void;
  /** True while the signature is being sent: the pad is read-only. */
  still?: boolean;
};

type Way = 'draw' | 'type' | 'image';

/** A signature by drawing, by typing (for keyboard users), or by a picture. */
export default function SignaturePad({
  onChange,
  kept,
  name = '',
  onEmpty,
  still = false,
}: SignaturePadProps) {
  const t = useTexts(captureTexts);
  const [way, setWay] = useState<Way>('draw');
  const [earlier, setEarlier] = useState(kept);
  const choose = (next: Way) => {
    setWay(next);
    onChange(undefined);
  };
  const by = (method: SignMethod): SignWayProps => ({
    onChange: (picture) => onChange(picture && { method, picture }),
    onEmpty,
    still,
  });
  const clearEarlier = () => {
    setEarlier(undefined);
    onChange(undefined);
  };
  if (earlier)
    return (
      <div className={css.signature} inert={still}>
        <KeptSignature file={earlier} onClear={clearEarlier} />
      </div>
    );
  return (
    <div className={css.signature} inert={still}>
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
      {way === 'draw' && <DrawnSignature {...by('drawn')} />}
      {way === 'type' && <TypedSignature {...by('typed')} signer={name} />}
      {way === 'image' && <UploadedSignature {...by('uploaded')} />}
    </div>
  );
}
