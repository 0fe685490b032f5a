import { useTexts } from '@karaar/i18n';
import { Button, fileSizeMb, Icon, type IconName } from '@karaar/ui';
import { useRef } from 'react';
import { useObjectUrl } from '../../shared/useObjectUrl.ts';
import { verificationTexts } from './texts.ts';
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
  const t = useTexts(verificationTexts);
  const url = useObjectUrl(file ?? null);
  return (
    <li className={css.piece} data-part={part} data-there={file ? true : undefined}>
      <span className={css.picture}>
        {url ? <img src={url} alt={t(part)} /> : <Icon name={icons[part]} size={28} />}
      </span>
      <span className={css.pieceText}>
        <span className={css.pieceName}>{t(part)}</span>
        <span className={css.pieceNote}>
          {file ? `${file.name} · ${fileSizeMb(file.size)}` : part === 'sign' ? t('signBelow') : t('notYet')}
        </span>
      </span>
      {(part === 'profile_pic' || part === 'eye') && (
        <Button
          compact
          icon="camera"
          variant={file ? 'secondary' : 'primary'}
          onClick={() => onCapture(part)}
          aria-label={t(file ? 'retakeOf' : 'captureNowOf', { what: t(part) })}
        >
          {file ? t('retake') : t('captureNow')}
        </Button>
      )}
      {part === 'thumb' && onUpload && <ThumbUpload replaced={file !== undefined} onUpload={onUpload} />}
    </li>
  );
}

function ThumbUpload({ replaced, onUpload }: { replaced: boolean; onUpload: (file: File) => void }) {
  const t = useTexts(verificationTexts);
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button compact icon="upload" aria-label={t('uploadThumb')} onClick={() => input.current?.click()}>
        {replaced ? t('replaceThumb') : t('upload')}
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        name="thumb"
        hidden
        aria-label={t('thumb')}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) onUpload(file);
        }}
      />
    </>
  );
}
