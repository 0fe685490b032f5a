import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { useId } from 'react';
import { useUser } from '../../../shared/useShell.ts';
import { Changed } from '../../reading/Changed.tsx';
import { Reading } from '../../reading/Reading.tsx';
import type { Read } from '../../reading/useRead.ts';
import css from '../detail.module.css';
import { deskNote, type Turn } from '../../../shared/roles.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

type PagesProps = { document: Document; turn: Turn | null; read: Read };

/** The pages of the document. */
export default function Pages({ document, turn, read }: PagesProps) {
  const t = useTexts(detailTexts);
  const { user_id } = useUser();
  const id = useId();
  return (
    <section className={css.paper} aria-labelledby={id}>
      <header className={css.paperHead}>
        <h2 id={id}>{t(turn ? titles[turn] : 'pages')}</h2>
        {turn && <p className="k-muted">{t(deskNote(document, user_id, turn))}</p>}
      </header>
      {read.changed && <Changed of={read.changed} document={document} onRead={read.again} />}
      <Reading key={document.content_hash} document={document} />
      {turn && <p className={css.meaning}>{t(meanings[turn])}</p>}
    </section>
  );
}

const titles = { invited: 'deskAnswer', admitted: 'deskApprove', primary: 'deskApprove' } as const;
const meanings = { invited: 'meansVerify', admitted: 'meansApprove', primary: 'meansApprove' } as const;
