import { useTexts } from '@karaar/i18n';
import { Icon } from '@karaar/ui';
import { verificationTexts } from './texts.ts';
import css from './verification.module.css';
import type { PhotoPart } from './verification.ts';

const PARTS = ['profile_pic', 'eye', 'sign'] as const;

/** Shows the progress from the face over the eye to the signature. */
export function CaptureProgress({ part }: { part: PhotoPart }) {
  const t = useTexts(verificationTexts);
  const at = PARTS.indexOf(part);
  return (
    <ol className={css.progress}>
      {PARTS.map((each, index) => (
        <li key={each} aria-current={index === at ? 'step' : undefined} data-done={index < at || undefined}>
          <span className={css.progressMark} aria-hidden="true">
            {index < at ? <Icon name="tick" size={14} /> : index + 1}
          </span>
          <span>{t(each)}</span>
        </li>
      ))}
    </ol>
  );
}
