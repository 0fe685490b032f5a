import type { RawFile } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { formatDateTime } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { fileTextQuery } from '../../shared/queries.ts';
import { verificationTexts } from '../verification/texts.ts';
import { LeftOutParts } from './LeftOutParts.tsx';
import css from './reading.module.css';

/** Above the pages of a file: the pages kept as pictures, the left-out parts, and the creator's consent. */
export function FileNotes({ file, creator }: { file: RawFile; creator: string }) {
  const t = useTexts(verificationTexts);
  const { pictures, left_out: parts } = file;
  return (
    <>
      {pictures.length > 0 && (
        <p className={css.pictures}>
          <span>{t('keptAsPictures', { count: pictures.length, list: pictures.join(', ') })}</span>
          <Accepted by={creator} at={file.pictures_accepted_at} />
        </p>
      )}
      {parts.length > 0 && (
        <p className={css.pictures}>
          <LeftOutParts parts={parts} />
          <Accepted by={creator} at={file.left_out_accepted_at} />
        </p>
      )}
    </>
  );
}

/** Names the person and the time of the consent; empty for a file that needed none. */
function Accepted({ by, at }: { by: string; at: string | null }) {
  const t = useTexts(verificationTexts);
  return at ? <span>{` ${t('picturesAccepted', { name: by, at: formatDateTime(at) })}`}</span> : null;
}

/** Below a page: why it is a picture, and its text for screen readers. */
export function PageNotes({ documentId, file, page }: { documentId: string; file: RawFile; page: number }) {
  const t = useTexts(verificationTexts);
  const text = useQuery(fileTextQuery(documentId, file.file_id));
  const at = file.pictures.indexOf(page);
  const why = file.picture_reasons[at];
  return (
    <>
      {at >= 0 && (
        <p className={css.picture}>
          <span>{`${t('pictureHere')} `}</span>
          {why && <span>{t(why === 'missing' ? 'pictureMissing' : 'pictureDifferent')}</span>}
        </p>
      )}
      {text.isError && <p className="k-hidden">{t('textFailed')}</p>}
      {text.data && <PageText text={text.data.pages[page - 1] ?? null} />}
    </>
  );
}

/** Visually hidden: the page above shows the same. */
function PageText({ text }: { text: string | null }) {
  const t = useTexts(verificationTexts);
  return (
    <div className={css.text} data-page-text>
      {text === null ? (
        <p>{t('noPageText')}</p>
      ) : (
        text.split(/\n\s*\n/).map((paragraph, index) => (
          <p key={index} dir="auto" translate="no">
            {paragraph}
          </p>
        ))
      )}
    </div>
  );
}
