import { serverClock } from '@karaar/api-client';
import { dayInIndia } from '@karaar/contracts/answer-by';
import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, formatDate, Row } from '@karaar/ui';
import { Link } from 'react-router';
import css from '../detail.module.css';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';
import { endsSoon } from './ends-soon.ts';

const TEXTS = { soon: 'endsOn', ended: 'endedOn' } as const;

/** Offers the renewal of an agreement that ends soon: a new form with the same people and terms. */
export function Renewing({ document }: { document: Document }) {
  const t = useTexts(detailTexts);
  const ends = endsSoon(document, dayInIndia(serverClock.date()));
  if (!ends) return null;
  return (
    <div className={css.calendar}>
      <Row gap={1.5}>
        <span>{t(TEXTS[ends], { day: formatDate(document.end_date) })}</span>
        <Button as={Link} to={`/document/create?renew=${document.document_id}`} compact icon="documentPlus">
          {t('renewIt')}
        </Button>
      </Row>
    </div>
  );
}
