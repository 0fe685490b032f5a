import type { AdminDocumentDetail } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Facts, formatDateTime, Banner, Sheet, Stack } from '@karaar/ui';
import css from '../../shared/shared.module.css';
import { documentsTexts } from './texts.ts';

/** The position of the sealed file in the transparency log. */
export function LogPlace({ document }: { document: AdminDocumentDetail }) {
  const t = useTexts(documentsTexts);
  const { log } = document;
  const mono = (text: string | null) => text && <span className={css.mono}>{text}</span>;
  return (
    <Sheet title={t('log')}>
      {log ? (
        <Stack gap={2}>
          <Facts
            entries={[
              [
                t('logPlace'),
                log.leaf_index === null
                  ? null
                  : t('logAt', { index: log.leaf_index, size: log.tree_size ?? 0 }),
              ],
              [t('sealedAt'), formatDateTime(log.sealed_at)],
              [t('confirmedAt'), formatDateTime(log.confirmed_at)],
              [t('sha256'), mono(log.sha256)],
              [t('leafHash'), mono(log.leaf_hash)],
            ]}
          />
          <Banner tone={document.blockchain ? 'verified' : 'waiting'}>
            {t(document.blockchain ? 'logConfirmed' : 'logWaiting')}
          </Banner>
        </Stack>
      ) : (
        <p className="k-muted">{t('logNone')}</p>
      )}
    </Sheet>
  );
}
