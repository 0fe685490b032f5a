import { useTexts } from '@karaar/i18n';
import { Button, FileButton, fileSizeMb } from '@karaar/ui';
import { Picture, type PictureName } from '@karaar/ui/pictures';
import { useObjectUrl } from '../../shared/useObjectUrl.ts';
import { verificationTexts } from './texts.ts';
import css from './verification.module.css';
import type { PhotoPart, VerificationPart } from './verification.ts';

const pictures: Record<VerificationPart, PictureName> = {
  profile_pic: 'face',
  eye: 'eye',
  sign: 'signature',
  thumb: 'thumb',
};

type VerificationPieceProps = {
  part: VerificationPart;
  file: File | undefined;
  /** True for the next step: its button is the primary one. */
  isNext?: boolean;
  onCapture: (part: PhotoPart) => void;
  onUpload?: (file: File) => void;
};

/** One image of the verification: its picture, name and size, and how to add it. */
export function VerificationPiece({
  part,
  file,
  isNext = false,
  onCapture,
  onUpload,
}: VerificationPieceProps) {
  const t = useTexts(verificationTexts);
  const url = useObjectUrl(file ?? null);
  return (
    <li className={css.piece} data-part={part} data-there={file ? true : undefined}>
      <span className={css.picture}>
        {url ? <img src={url} alt={t(part)} /> : <Picture name={pictures[part]} size={96} />}
      </span>
      <span className={css.pieceText}>
        <span className={css.pieceName}>{t(part)}</span>
        <span className={css.pieceNote}>
          {file ? `${file.name} · ${fileSizeMb(file.size)}` : part === 'sign' ? t('notSigned') : t('notYet')}
        </span>
      </span>
      {(part === 'profile_pic' || part === 'eye') && (
        <Button
          compact
          icon="camera"
          variant={isNext ? 'primary' : 'secondary'}
          onClick={() => onCapture(part)}
          aria-label={t(file ? 'retakeOf' : 'captureNowOf', { what: t(part) })}
        >
          {file ? t('retake') : t('captureNow')}
        </Button>
      )}
      {part === 'thumb' && onUpload && (
        <FileButton compact accept="image/*" name="thumb" aria-label={t('uploadThumb')} onFile={onUpload}>
          {file ? t('replaceThumb') : t('upload')}
        </FileButton>
      )}
    </li>
  );
}
