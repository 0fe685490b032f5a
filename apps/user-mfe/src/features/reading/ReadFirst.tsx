import { toastText } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, ErrorState, Facts, Modal, Skeleton, Stack } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { documentQuery } from '../../shared/queries.ts';
import { isWhole } from '../../shared/roles.ts';
import { detailTexts } from '../../shared/catalogs/detail/texts.ts';
import { Changed, partyNames } from './Changed.tsx';
import { PriceNote } from './PriceNote.tsx';
import { Reading } from './Reading.tsx';
import css from './reading.module.css';
import { Terms } from './Terms.tsx';
import type { Change, Shown } from './changes.ts';
import { useRead } from './useRead.ts';

type ReadFirstProps = {
  id: string;
  name: string;
  /** The change for which an acceptance was refused. */
  changed: Change | null;
  onBack: () => void;
  onRead: (shown: Shown) => void;
};

/** Terms and pages of an agreement, before the dialog in which it is accepted. */
export function ReadFirst({ id, name, changed, onBack, onRead }: ReadFirstProps) {
  const t = useTexts(detailTexts);
  const document = useQuery(documentQuery(id));
  return (
    <Modal title={t('readBefore')} opened onClose={onBack} width={860} dismissible="escape">
      {document.isError && (
        <ErrorState
          title={toastText(document.error, t('loadFailed'))}
          onRetry={() => void document.refetch()}
          retrying={document.isFetching}
        />
      )}
      {document.isPending && <Skeleton height={420} />}
      {document.data && isWhole(document.data) && (
        <Whole document={document.data} name={name} changed={changed} onBack={onBack} onRead={onRead} />
      )}
    </Modal>
  );
}

function Whole({
  document,
  name,
  changed,
  onBack,
  onRead,
}: Omit<ReadFirstProps, 'id'> & { document: Document }) {
  const t = useTexts(detailTexts);
  const read = useRead(document, changed);
  return (
    <Stack gap={1.5}>
      <div>
        <h3>{name}</h3>
        <p className="k-muted">{t('readBeforeLead')}</p>
        <p>
          <PriceNote document={document} />
        </p>
      </div>
      {read.changed && <Changed of={read.changed} document={document} onRead={read.again} />}
      <Reading
        key={document.content_hash}
        document={document}
        framed
        before={
          <div className={css.terms}>
            <Facts entries={[[t('parties'), partyNames(document)]]} />
            <Terms document={document} />
          </div>
        }
      />
      <div className={css.foot}>
        <Button onClick={onBack}>{t('back')}</Button>
        <Button variant="primary" disabled={read.changed !== null} onClick={() => onRead(read.shown)}>
          {t('toVerification')}
        </Button>
      </div>
    </Stack>
  );
}
