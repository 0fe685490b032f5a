import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, formatDate, Row, TextButton, userName } from '@karaar/ui';
import { useState } from 'react';
import { Link } from 'react-router';
import { ReasonField } from '../../shared/ReasonField.tsx';
import css from './dashboard.module.css';
import { dashboardTexts } from '../../shared/catalogs/dashboard/texts.ts';

type AgreementRequestProps = {
  agreement: Document;
  rejecting: boolean;
  onReject: (reason: string) => void;
  onAccept: () => void;
};

/**
 * One invitation: its sender, a link to read it, and the two answers. A rejection is immediate; a reason is
 * optional.
 */
export function AgreementRequest({ agreement, rejecting, onReject, onAccept }: AgreementRequestProps) {
  const t = useTexts(dashboardTexts);
  const [reason, setReason] = useState<string | null>(null);
  return (
    <li className={css.request}>
      <div className={css.requestText}>
        <h3>{agreement.name}</h3>
        <p className="k-muted k-small">
          {`${t('invitedBy', { name: userName(agreement.primary_user_name) })} · ${formatDate(agreement.created_at)}`}
        </p>
        <Row gap={2}>
          <Link className="k-small" to={`/document/${agreement.document_id}`}>
            {t('read')}
          </Link>
          {reason === null && (
            <TextButton className="k-small" onClick={() => setReason('')}>
              {t('giveReason')}
            </TextButton>
          )}
        </Row>
      </div>
      {reason !== null && (
        <div className={css.requestReason}>
          <ReasonField reason={reason} onReason={setReason} />
        </div>
      )}
      <Row>
        <Button compact variant="reject" onClick={() => onReject(reason?.trim() ?? '')} loading={rejecting}>
          {t('reject')}
        </Button>
        <Button compact variant="primary" onClick={onAccept}>
          {t('accept')}
        </Button>
      </Row>
    </li>
  );
}
