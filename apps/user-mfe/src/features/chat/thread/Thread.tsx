import { ApiError, toastText } from '@karaar/api-client';
import { useTexts } from '@karaar/i18n';
import { Button, EmptyState, ErrorState, Banner, Skeleton, userName } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useTitle } from '../../../shared/useTitle.ts';
import css from '../chat.module.css';
import { personQuery } from '../queries.ts';
import { chatTexts } from '../texts.ts';
import { ThreadHeader } from './ThreadHeader.tsx';
import { ThreadMessages } from './ThreadMessages.tsx';
import { useOutbox } from '../writing/useOutbox.ts';
import { useSafety } from '../useSafety.tsx';
import { useThread } from './useThread.ts';
import { Write } from '../writing/Write.tsx';

/** A conversation with one person: header, messages and input. */
export function Thread({ userId }: { userId: string }) {
  const t = useTexts(chatTexts);
  const person = useQuery(personQuery(userId));
  const { thread, add, loadOlder } = useThread(userId);
  const outbox = useOutbox(userId, add);
  const safety = useSafety(person.data);
  useTitle(person.data ? userName(person.data.name) : t('title'));

  const failure = person.error ?? (thread.data ? null : thread.error);
  if (failure) {
    return (
      <section className={css.thread}>
        <Failure
          error={failure}
          onRetry={() => void Promise.all([person.refetch(), thread.refetch()])}
          retrying={person.isFetching || thread.isFetching}
        />
      </section>
    );
  }
  if (!person.data || !thread.data) return <ThreadSkeleton />;
  const closed = !person.data.is_active;
  return (
    <section className={css.thread} aria-label={t('threadWith', { name: userName(person.data.name) })}>
      <ThreadHeader person={person.data} menu={safety.menu} begun={thread.data.messages.length > 0} />
      <ThreadMessages
        person={person.data}
        state={thread.data}
        unsent={outbox.unsent}
        onOlder={loadOlder}
        onRetry={outbox.retry}
        onDiscard={outbox.discard}
      />
      {person.data.blocked && (
        <div className={css.foot}>
          <Banner
            action={
              <Button compact onClick={safety.unblock}>
                {t('unblock')}
              </Button>
            }
          >
            {t('youBlocked')}
          </Banner>
        </div>
      )}
      {closed && (
        <div className={css.foot}>
          <Banner>{t('accountClosed')}</Banner>
        </div>
      )}
      {!person.data.blocked && !closed && <Write person={person.data} onSend={outbox.send} />}
      {safety.dialogs}
    </section>
  );
}

function Failure({ error, ...retry }: { error: Error; onRetry: () => void; retrying: boolean }) {
  const t = useTexts(chatTexts);
  if (error instanceof ApiError && error.status === 404) {
    return (
      <EmptyState
        icon="person"
        title={t('userNotFound')}
        text={t('userNotFoundText')}
        action={
          <Button as={Link} to="/chat" icon="arrowLeft">
            {t('allChats')}
          </Button>
        }
      />
    );
  }
  return <ErrorState title={toastText(error, t('threadFailed'))} {...retry} />;
}

function ThreadSkeleton() {
  const t = useTexts(chatTexts);
  return (
    <section className={css.thread} role="status" aria-label={t('loading')}>
      <div className={css.threadHead}>
        <div className={css.headSkeleton}>
          <Skeleton lines={2} />
        </div>
      </div>
      <div className={css.bubbleSkeletons}>
        {[180, 240, 140, 260, 200].map((width, at) => (
          <div key={width} style={{ width, alignSelf: at % 2 ? 'flex-end' : 'flex-start' }}>
            <Skeleton height={44} />
          </div>
        ))}
      </div>
    </section>
  );
}
