import { Button, fileSizeMb, Icon, type IconName } from '@karaar/ui';
import { useRef } from 'react';
import { useObjectUrl } from '../../shared/useObjectUrl.ts';
import { verificationTexts as texts } from './texts.ts';
import css from './verification.module.css';
import type { PhotoPart, VerificationPart } from './verification.ts';

const icons: Record<VerificationPart, IconName> = {
  profile_pic: 'person',
  eye: 'eye',
  sign: 'pen',
  thumb: 'fingerprint',
};

type VerificationPieceProps = {
  part: VerificationPart;
  file: File | undefined;
  onCapture: (part: PhotoPart) => void;
  /** Only pieces that can be uploaded need it. */
  onUpload?: (file: File) => void;
};

/** One image of the verification: its picture, its name and size, and how to get it. */
export function VerificationPiece({ part, file, onCapture, onUpload }: VerificationPieceProps) {
  const url = useObjectUrl(file ?? null);
  return (
    <li className={css.piece} data-part={part} data-there={file ? true : undefined}>
      <span className={css.picture}>
        {url ? <img src={url} alt={texts[part]} /> : <Icon name={icons[part]} size={28} />}
      </span>
      <span className={css.pieceText}>
        <span className={css.pieceName}>{texts[part]}</span>
        <span className={css.pieceNote}>
          {file
            ? `${file.name} · ${fileSizeMb(file.size)}`
            : part === 'sign'
              ? texts.signBelow
              : texts.notYet}
        </span>
      </span>
      {(part === 'profile_pic' || part === 'eye') && (
        <Button
          compact
          icon="camera"
          variant={file ? 'secondary' : 'primary'}
          onClick={() => onCapture(part)}
          aria-label={file ? texts.retakeOf(texts[part]) : texts.captureNowOf(texts[part])}
        >
          {file ? texts.retake : texts.captureNow}
        </Button>
      )}
      {part === 'thumb' && onUpload && <ThumbUpload replaced={file !== undefined} onUpload={onUpload} />}
    </li>
  );
}

function ThumbUpload({ replaced, onUpload }: { replaced: boolean; onUpload: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button compact icon="upload" aria-label={texts.uploadThumb} onClick={() => input.current?.click()}>
        {replaced ? texts.replaceThumb : texts.upload}
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        name="thumb"
        hidden
        aria-label={texts.thumb}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) onUpload(file);
        }}
      />
    </>
  );
}
