import type { Document } from '@karaar/contracts/documents/http';
import { Button, CodeText, EmptyState, formatDate, StatusStamp } from '@karaar/ui';
import { Link } from 'react-router';
import css from './dashboard.module.css';
import { chatPartner } from './summary.ts';
import { dashboardTexts as texts } from './texts.ts';

/** The user's documents: a table, which becomes a list of cards where there is no room for one. */
export function DocumentList({ documents, userId }: { documents: readonly Document[]; userId: string }) {
  if (documents.length === 0) {
    return (
      <EmptyState
        icon="document"
        title={texts.emptyTitle}
        text={texts.emptyText}
        action={
          <Button as={Link} to="/document/create" icon="plus">
            {texts.create}
          </Button>
        }
      />
    );
  }
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">{texts.name}</th>
          <th scope="col">{texts.code}</th>
          <th scope="col">{texts.status}</th>
          <th scope="col">{texts.location}</th>
          <th scope="col">{texts.created}</th>
          <th scope="col">
            <span className="k-hidden">{texts.actions}</span>
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
  const path = `/document/${document.document_id}`;
  const partner = chatPartner(document.involved_users, userId);
  return (
    <tr>
      <th scope="row" className={css.nameCell}>
        <Link to={path}>{document.name}</Link>
      </th>
      <td data-label={texts.code}>
        <CodeText code={document.document_code} label={texts.documentCode} />
      </td>
      <td data-label={texts.status} className={css.statusCell}>
        <StatusStamp status={document.status} />
      </td>
      <td data-label={texts.location} className={css.locationCell}>
        {document.location || texts.noLocation}
      </td>
      <td data-label={texts.created} className={css.dateCell}>
        {formatDate(document.created_at)}
      </td>
      <td className={css.actionsCell}>
        <div className={css.actions}>
          {partner && (
            <Button as={Link} to={`/chat/${partner}`} compact variant="quiet">
              {texts.chatWith}
            </Button>
          )}
          <Button as={Link} to={`${path}/payment`} compact>
            {texts.payment}
          </Button>
          <Button as={Link} to={path} compact>
            {texts.manage}
          </Button>
        </div>
      </td>
    </tr>
  );
}
