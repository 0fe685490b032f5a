import type { FinalFile } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Icon, Sheet } from '@karaar/ui';
import css from '../detail.module.css';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

/** The sealed PDF, and the creator's additional files, clearly distinct from it. */
export default function FinalDocuments({ files }: { files: readonly FinalFile[] }) {
  const t = useTexts(detailTexts);
  return (
    <Sheet title={t('finalDocuments')}>
      <ul className={css.files}>
        {files.map(({ name, path, sealed }) => (
          <li key={path} className={css.file}>
            <Icon name={sealed ? 'shield' : 'document'} size={22} />
            <a className={css.fileName} href={path} target="_blank" rel="noopener">
              {name}
            </a>
            <span className="k-muted">{t(sealed ? 'sealedFile' : 'attachedFile')}</span>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
