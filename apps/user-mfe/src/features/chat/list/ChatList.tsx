import { toastText } from '@karaar/api-client';
import { screen, useTexts } from '@karaar/i18n';
import { Button, EmptyState, ErrorState, IconButton, LoadBoundary } from '@karaar/ui';
import { SearchField } from '@karaar/ui/fields';
import { ListSkeleton } from '@karaar/ui/skeletons';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { useTitle } from '../../../shared/useTitle.ts';
import css from '../chat.module.css';
import { unique } from './chat-list.ts';
import { ChatRows } from './ChatRows.tsx';
import { Invitation } from '../Invitation.tsx';
import { chatsQuery } from '../queries.ts';
import { chatTexts } from '../texts.ts';
import { useFreshList } from './useFreshList.ts';

const NewChat = screen(() => import(/* webpackChunkName: "chat-later" */ './NewChat.tsx'), []);

/** Milliseconds after the last keystroke until the list is requested. */
const TYPING_MS = 250;

/** The users with whom this user writes or shares documents: searchable, unread first. */
export function ChatList({ current }: { current: string | undefined }) {
  const t = useTexts(chatTexts);
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const [starting, setStarting] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), typed === '' ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const pollMs = useFreshList();
  const list = useInfiniteQuery({ ...chatsQuery(search), refetchInterval: pollMs });
  const chats = unique(list.data?.pages.flatMap(({ items }) => items) ?? []);
  const Heading = current ? 'h2' : 'h1';
  return (
    <section className={css.list} aria-label={t('chats')}>
      {!current && <Title />}
      <header className={css.listHead}>
        <Heading className={css.listTitle}>{t('title')}</Heading>
        <IconButton
          icon="refresh"
          label={t('refresh')}
          aria-busy={list.isRefetching || undefined}
          onClick={() => void list.refetch()}
        />
        <Button variant="primary" icon="plus" compact onClick={() => setStarting(true)}>
          {t('startNew')}
        </Button>
      </header>
      <div className={css.search}>
        <SearchField
          label={t('search')}
          hideLabel
          value={typed}
          onChange={setTyped}
          placeholder={t('searchHint')}
        />
      </div>
      {list.isPending && <ListSkeleton label={t('chats')} rows={7} />}
      {list.isError && chats.length === 0 && (
        <ErrorState
          title={toastText(list.error, t('listFailed'))}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      )}
      {chats.length > 0 && (
        <ChatRows
          chats={chats}
          current={current}
          onNearEnd={() => {
            if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
          }}
        />
      )}
      {list.isSuccess && chats.length === 0 && (
        <NoChats searched={search !== ''} onShowAll={() => setTyped('')} onStart={() => setStarting(true)} />
      )}
      <LoadBoundary>
        <Suspense>{starting && <NewChat onClose={() => setStarting(false)} />}</Suspense>
      </LoadBoundary>
    </section>
  );
}

type NoChatsProps = { searched: boolean; onShowAll: () => void; onStart: () => void };

function NoChats({ searched, onShowAll, onStart }: NoChatsProps) {
  const t = useTexts(chatTexts);
  if (searched)
    return (
      <EmptyState
        icon="search"
        title={t('noneTitle')}
        text={t('noneText')}
        action={<Button onClick={onShowAll}>{t('showAll')}</Button>}
      />
    );
  return (
    <Invitation
      small
      picture="people"
      title={t('emptyTitle')}
      text={t('emptyText')}
      action={
        <Button icon="plus" onClick={onStart}>
          {t('startFirst')}
        </Button>
      }
    />
  );
}

function Title() {
  const t = useTexts(chatTexts);
  useTitle(t('title'));
  return null;
}
