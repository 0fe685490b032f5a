import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, CodeText, formatDate, StatusStamp } from '@karaar/ui';
import { Welcome } from '@karaar/ui/pictures';
import { Link } from 'react-router';
import css from './dashboard.module.css';
import { chatPartner } from './summary.ts';
import { dashboardTexts } from './texts.ts';

/** The user's documents: a table, which becomes a list of cards where there is no room for one. */
export function DocumentList({ documents, userId }: { documents: readonly Document[]; userId: string }) {
  const t = useTexts(dashboardTexts);
  if (documents.length === 0) {
    return (
      <Welcome
        picture="documents"
        title={t('emptyTitle')}
        text={t('emptyText')}
        action={
          <Button as={Link} to="/document/create" icon="plus">
            {t('create')}
          </Button>
        }
      />
    );
  }
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">{t('name')}</th>
          <th scope="col">{t('code')}</th>
          <th scope="col">{t('status')}</th>
          <th scope="col">{t('location')}</th>
          <th scope="col">{t('created')}</th>
          <th scope="col">
            <span className="k-hidden">{t('actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {documents.map((document) => (
          <DocumentRow key={document.document_id} document={document} userId={userId} />
        ))}
      </tbody>
    </table>
  );
}

function DocumentRow({ document, userId }: { document: Document; userId: string }) {
  const t = useTexts(dashboardTexts);
  const path = `/document/${document.document_id}`;
  const partner = chatPartner(document.involved_users, userId);
  return (
    <tr>
      <th scope="row" className={css.nameCell}>
        <Link to={path}>{document.name}</Link>
      </th>
      <td data-label={t('code')}>
        <CodeText code={document.document_code} label={t('documentCode')} />
      </td>
      <td data-label={t('status')} className={css.statusCell}>
        <StatusStamp status={document.status} />
      </td>
      <td data-label={t('location')} className={css.locationCell}>
        {document.location || t('noLocation')}
      </td>
      <td data-label={t('created')} className={css.dateCell}>
        {formatDate(document.created_at)}
      </td>
      <td className={css.actionsCell}>
        <div className={css.actions}>
          {partner && (
            <Button as={Link} to={`/chat/${partner}`} compact variant="quiet">
              {t('chatWith')}
            </Button>
          )}
          <Button as={Link} to={`${path}/payment`} compact>
            {t('payment')}
          </Button>
          <Button as={Link} to={path} compact>
            {t('manage')}
          </Button>
        </div>
      </td>
    </tr>
  );
}
