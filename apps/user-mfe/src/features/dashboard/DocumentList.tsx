import { toastText } from '@karaar/api-client';
import type { Document, DocumentCounts, WorkItem } from '@karaar/contracts/documents/http';
import { DOCUMENT_STATUSES } from '@karaar/contracts/documents/status';
import { useTexts } from '@karaar/i18n';
import {
  Badge,
  Button,
  CodeText,
  EmptyState,
  ErrorState,
  formatDate,
  SelectField,
  Sheet,
  StatusStamp,
  statusText,
  TextButton,
  userName,
} from '@karaar/ui';
import { SearchField } from '@karaar/ui/fields';
import { Welcome } from '@karaar/ui/pictures';
import { TableSkeleton } from '@karaar/ui/skeletons';
import { DataTable, FilterChips, Pager, ToolRow, type Column } from '@karaar/ui/tables';
import { useDeferredValue } from 'react';
import { Link } from 'react-router';
import { turnWords, withWhom } from './turn.ts';
import css from './dashboard.module.css';
import { sortingOf, sortOf } from './list-state.ts';
import { chatPartner } from './summary.ts';
import { dashboardTexts } from '../../shared/catalogs/dashboard/texts.ts';
import { LabelFilter } from './LabelFilter.tsx';
import { useArchive } from './useArchive.tsx';
import type { DocumentPage } from './useDocumentList.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { useRowFocus } from './useRowFocus.ts';
import { useSelection } from './useSelection.tsx';

const FILTERS = [...DOCUMENT_STATUSES, 'archived'] as const;

type DocumentListProps = {
  userId: string;
  counts: DocumentCounts | undefined;
  documents: DocumentPage;
  /** Documents that the user has asked to join. */
  asked: readonly WorkItem[];
};

/** All documents of the user: search, filter, sort, pages; a table, or cards on a phone. */
export function DocumentList({ userId, counts, documents, asked }: DocumentListProps) {
  const t = useTexts(dashboardTexts);
  const { list, state, setTyped, set, next, previous } = documents;
  const selection = useSelection();
  const filtered = state.search !== '' || state.status !== '' || state.archived || Boolean(state.label);
  // Deferred: rows are rendered in slices, and typing comes first.
  const page = useDeferredValue(list.data);
  const rows = page?.items ?? [];
  const focus = useRowFocus(rows);
  const columns = useColumns(userId, state.archived, focus.expect);
  const cursor = page?.next_cursor;
  const requests = filtered || state.cursor !== '' ? [] : asked;

  return (
    <Sheet title={t('allDocuments')} flush>
      <ListTools
        documents={documents}
        counts={counts}
        filtered={filtered}
        onSelect={selection.toggle}
        selecting={selection.ids !== null}
      />
      {selection.ids && <SelectionBar ids={selection.ids} />}
      {!page && !list.isError && <TableSkeleton label={t('allDocuments')} />}
      {list.isError && (
        <ErrorState
          title={toastText(list.error, t('loadFailed'))}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      )}
      {page && requests.length > 0 && <AskedToJoin requests={requests} />}
      <div ref={focus.list}>
        {page && rows.length > 0 && (
          <DataTable
            caption={t('allDocuments')}
            columns={[...selection.columns, ...columns]}
            rows={rows}
            rowKey={(document) => document.document_id}
            sorting={sortingOf(state.sort)}
            onSort={(sorting) => set({ sort: sortOf(sorting, state.sort) })}
            busy={list.isPlaceholderData}
          />
        )}
      </div>
      {page && rows.length === 0 && requests.length === 0 && (
        <Nothing
          filtered={filtered}
          onArchived={counts?.archived ? () => set({ archived: true }) : undefined}
          onClear={() => (setTyped(''), set({ search: '', status: '', archived: false, label: undefined }))}
        />
      )}
      {page && (state.cursor !== '' || cursor) && (
        <div className={css.pager}>
          <Pager
            label={t('pages')}
            onPrevious={state.cursor === '' ? undefined : previous}
            onNext={cursor ? () => next(cursor) : undefined}
            busy={list.isPlaceholderData}
          />
        </div>
      )}
    </Sheet>
  );
}

type ListToolsProps = Pick<DocumentListProps, 'documents' | 'counts'> & {
  filtered: boolean;
  selecting: boolean;
  onSelect: () => void;
};

/** Search, order and filters; nothing for a user without documents. */
function ListTools({ documents, counts, filtered, selecting, onSelect }: ListToolsProps) {
  const t = useTexts(dashboardTexts);
  const { state, typed, setTyped, set } = documents;
  const chosen = state.archived ? 'archived' : state.status;
  if (counts?.total === 0 && counts.archived === 0 && !filtered) return null;
  return (
    <>
      <div className={css.listTools}>
        <ToolRow search={<SearchField label={t('search')} value={typed} onChange={setTyped} />}>
          <SelectField
            label={t('sort')}
            placeholder={t('sortNewest')}
            options={[
              { value: 'oldest', label: t('sortOldest') },
              { value: 'changed', label: t('sortChanged') },
              { value: 'name', label: t('sortName') },
              { value: '-name', label: t('sortNameDown') },
            ]}
            value={state.sort === 'newest' ? '' : state.sort}
            onChange={(event) => set({ sort: (event.target.value || 'newest') as typeof state.sort })}
          />
          {(counts?.labels || state.label) && (
            <LabelFilter
              labels={counts?.labels ?? []}
              chosen={state.label}
              onChoose={(label) => set({ label })}
            />
          )}
          {Boolean(counts?.finalized) && (
            <Button onClick={onSelect}>{t(selecting ? 'selectEnd' : 'select')}</Button>
          )}
        </ToolRow>
        <FilterChips
          label={t('status')}
          single
          chips={FILTERS.filter((filter) => filter === chosen || (counts?.[filter] ?? 0) > 0).map(
            (filter) => ({
              value: filter,
              label: filter === 'archived' ? t('archivedFilter') : statusText(filter),
              ...(counts ? { count: counts[filter] } : {}),
            }),
          )}
          chosen={chosen ? [chosen] : []}
          onChange={([filter]) =>
            set(
              filter === 'archived'
                ? { archived: true, status: '' }
                : { archived: false, status: filter ?? '' },
            )
          }
        />
      </div>
      {state.search !== '' && !state.archived && Boolean(counts?.archived) && (
        <p className={css.elsewhere}>
          <span>{t('archiveNotSearched')}</span>
          <TextButton onClick={() => set({ archived: true, status: '' })}>{t('searchArchive')}</TextButton>
        </p>
      )}
    </>
  );
}

/** The other parties, and whose turn it is. */
function Turn({ document, userId }: { document: Document; userId: string }) {
  const t = useTexts(dashboardTexts);
  const people = withWhom(document, userId);
  const turn = turnWords(document, userId);
  return (
    <>
      {people && <span className={css.people}>{t('withPeople', { names: people })}</span>}
      {turn?.isOwn && <Badge tone="waiting">{t(turn.key)}</Badge>}
      {turn && !turn.isOwn && (
        <span className={css.people}>{t('waitsFor', { names: turn.names || t('invitee') })}</span>
      )}
    </>
  );
}

/** The documents that the user has asked to join: their names and creators, until the creators let the user in. */
function AskedToJoin({ requests }: { requests: readonly WorkItem[] }) {
  const t = useTexts(dashboardTexts);
  return (
    <ul className={css.asked} aria-label={t('askedToJoin')}>
      {requests.map(({ document_id, name, people }) => (
        <li key={document_id}>
          <span className={css.named}>
            <Link to={`/document/${document_id}`}>{name}</Link>
            <span className={css.people}>{t('createdBy', { name: userName(people[0]?.name) })}</span>
          </span>
          <Badge tone="waiting">{t('askedToJoin')}</Badge>
        </li>
      ))}
    </ul>
  );
}

type NothingProps = {
  filtered: boolean;
  /** Shows the archive; undefined if it is empty. */
  onArchived: (() => void) | undefined;
  onClear: () => void;
};

function Nothing({ filtered, onArchived, onClear }: NothingProps) {
  const t = useTexts(dashboardTexts);
  if (filtered) {
    return (
      <EmptyState
        icon="search"
        title={t('nothingFound')}
        text={t('nothingFoundText')}
        action={<Button onClick={onClear}>{t('showAll')}</Button>}
      />
    );
  }
  if (onArchived)
    return (
      <EmptyState
        icon="document"
        title={t('allArchived')}
        text={t('allArchivedText')}
        action={<Button onClick={onArchived}>{t('archivedFilter')}</Button>}
      />
    );
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

function useColumns(userId: string, archived: boolean, onMove: (id: string) => void): Column<Document>[] {
  const t = useTexts(dashboardTexts);
  const { archive, restore } = useArchive(onMove);
  const path = ({ document_id }: Document) => `/document/${document_id}`;
  return [
    {
      key: 'name',
      header: t('name'),
      title: true,
      sortable: true,
      cell: (document) => (
        <span className={css.named}>
          <Link className="k-row-link" to={path(document)}>
            {document.name}
          </Link>
          <Turn document={document} userId={userId} />
          {document.labels?.map((label) => (
            <Badge key={label}>{label}</Badge>
          ))}
        </span>
      ),
    },
    {
      key: 'code',
      header: t('code'),
      cell: ({ document_code }) => <CodeText code={document_code} label={t('documentCode')} />,
    },
    {
      key: 'status',
      header: t('status'),
      cell: ({ status, cancelled }) => <StatusStamp status={status} cancelled={cancelled !== undefined} />,
    },
    { key: 'location', header: t('location'), cell: ({ location }) => location || t('noLocation') },
    {
      key: 'created',
      header: t('created'),
      sortable: true,
      cell: ({ created_at }) => <span className="k-num k-nowrap">{formatDate(created_at)}</span>,
    },
    {
      key: 'actions',
      header: t('actions'),
      actions: true,
      cell: (document) => {
        const partner = chatPartner(document.involved_users, userId);
        return (
          <div className={css.actions}>
            {partner && (
              <Button as={Link} to={`/chat/${partner}`} compact variant="quiet">
                {t('chatWith')}
              </Button>
            )}
            {document.status !== 'draft' && (
              <Button
                compact
                variant="quiet"
                onClick={() => (archived ? restore : archive)(document.document_id)}
              >
                {t(archived ? 'restore' : 'archive')}
              </Button>
            )}
            <Button as={Link} to={`${path(document)}/payment`} compact>
              {t('payment')}
            </Button>
            <Button as={Link} to={path(document)} compact>
              {document.status === 'draft' ? t('continueDraft') : t('manage')}
            </Button>
          </div>
        );
      },
    },
  ];
}
