import { call, queryKeys, toastText } from '@karaar/api-client';
import { notificationsRoutes } from '@karaar/contracts/notifications/http';
import { useTexts } from '@karaar/i18n';
import {
  Button,
  EmptyState,
  ErrorState,
  formatDate,
  formatDateTime,
  Icon,
  money,
  Page,
  PageSkeleton,
  Row,
  toast,
} from '@karaar/ui';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useTitle } from '../../shared/useTitle.ts';
import { iconOf, lineOf, pathOf, type NotificationEntry } from './notification.ts';
import css from './notifications.module.css';
import { notificationTexts } from './texts.ts';

/** The user's notifications, newest first. Opening a notification marks it as read. */
export default function Notifications() {
  const t = useTexts(notificationTexts);
  useTitle(t('title'));
  const list = useInfiniteQuery({
    queryKey: ['notifications', 'list'],
    queryFn: ({ signal, pageParam }) =>
      call(
        notificationsRoutes.listNotifications,
        { query: pageParam === null ? {} : { cursor: pageParam } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  const read = useRead();
  if (list.isPending) return <PageSkeleton />;
  if (list.isLoadingError) {
    return (
      <ErrorState
        title={toastText(list.error, t('failed'))}
        onRetry={() => void list.refetch()}
        retrying={list.isFetching}
      />
    );
  }
  const entries = list.data.pages.flatMap((page) => page.notifications);
  const newest = entries[0];
  const hasUnread = entries.some((entry) => !entry.read) || (list.data.pages[0]?.unread_count ?? 0) > 0;
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      narrow
      actions={
        newest && (
          <Button
            icon="ticks"
            disabled={!hasUnread}
            loading={read.isPending}
            onClick={() => read.mutate({ upTo: newest._id })}
          >
            {t('markAll')}
          </Button>
        )
      }
    >
      {newest ? (
        <ul className={css.list}>
          {entries.map((entry) => (
            <Entry
              key={entry._id}
              entry={entry}
              onOpen={() => !entry.read && read.mutate({ one: entry._id })}
            />
          ))}
        </ul>
      ) : (
        <EmptyState icon="bell" title={t('empty')} text={t('emptyText')} />
      )}
      <Row justify="space-between">
        <Link to="/notifications/settings">{t('settings')}</Link>
        {list.hasNextPage && (
          <Button onClick={() => void list.fetchNextPage()} loading={list.isFetchingNextPage}>
            {t('older')}
          </Button>
        )}
      </Row>
    </Page>
  );
}

function Entry({ entry, onOpen }: { entry: NotificationEntry; onOpen: () => void }) {
  const t = useTexts(notificationTexts);
  const values = {
    actor: entry.actor_name ?? t('somebody'),
    document: entry.document_name ?? t('someDocument'),
    amount: money((entry.amount_paise ?? 0) / 100),
    before: money((entry.replaced_paise ?? 0) / 100),
  };
  return (
    <li>
      <Link to={pathOf(entry)} className={css.entry} data-unread={!entry.read || undefined} onClick={onOpen}>
        <span className={css.icon}>
          <Icon name={iconOf(entry)} />
        </span>
        <span className={css.words}>
          <span className={css.line}>{t(lineOf(entry), values)}</span>
          {entry.answer_by && (
            <span className={css.reason}>{t('answerBy', { day: formatDate(entry.answer_by) })}</span>
          )}
          {entry.reason && <span className={css.reason}>{t('reason', { reason: entry.reason })}</span>}
          <time className={css.time} dateTime={entry.created_at}>
            {formatDateTime(entry.created_at)}
          </time>
        </span>
        {!entry.read && <span className={css.dot} role="img" aria-label={t('unread')} />}
      </Link>
    </li>
  );
}

/** Marks one, or all up to one, as read; updates the bell and the list. */
function useRead() {
  const t = useTexts(notificationTexts);
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (which: { one: string } | { upTo: string }) =>
      'one' in which
        ? call(notificationsRoutes.readNotification, { params: { id: which.one } })
        : call(notificationsRoutes.readNotifications, { body: { up_to: which.upTo } }),
    onSuccess: (count) => {
      queries.setQueryData(queryKeys.unreadNotifications, count);
      void queries.invalidateQueries({ queryKey: ['notifications', 'list'] });
    },
    onError: (error) => toast.error(toastText(error, t('failed'))),
  });
}
