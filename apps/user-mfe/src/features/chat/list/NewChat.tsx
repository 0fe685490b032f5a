import { toastText } from '@karaar/api-client';
import { useTexts } from '@karaar/i18n';
import { EmptyState, ErrorState, Modal, userName } from '@karaar/ui';
import { ConversationRow } from '@karaar/ui/chat';
import { SearchField } from '@karaar/ui/fields';
import { ListSkeleton } from '@karaar/ui/skeletons';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useUser } from '../../../shared/useShell.ts';
import css from '../chat.module.css';
import { peopleQuery } from '../queries.ts';
import { chatTexts } from '../texts.ts';

/** Milliseconds after the last keystroke until the search is sent. */
const TYPING_MS = 300;

/** Finds a user to write to. Without a search it shows the user's contacts. */
export default function NewChat({ onClose }: { onClose: () => void }) {
  const t = useTexts(chatTexts);
  const me = useUser().user_id;
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const people = useQuery({ ...peopleQuery(search), placeholderData: keepPreviousData });
  const found = people.data?.filter(({ user_id }) => user_id !== me) ?? [];
  return (
    <Modal title={t('startNew')} opened onClose={onClose} width={520}>
      <SearchField
        label={t('findPerson')}
        hint={t('findPersonHint')}
        value={typed}
        onChange={setTyped}
        data-autofocus
      />
      <div className={css.people}>
        {people.isPending && <ListSkeleton label={t('people')} rows={5} />}
        {people.isError && (
          <ErrorState
            title={toastText(people.error, t('peopleFailed'))}
            onRetry={() => void people.refetch()}
            retrying={people.isFetching}
          />
        )}
        {people.isSuccess && search !== '' && found.length === 0 && (
          <EmptyState icon="search" title={t('nobodyTitle')} text={t('nobodyText')} />
        )}
        {found.length > 0 && (
          <ul aria-label={t('people')}>
            {found.map((person) => (
              <ConversationRow
                key={person.user_id}
                as={Link}
                linkProps={{ to: `/chat/${person.user_id}`, onClick: onClose }}
                name={userName(person.name)}
                note={[person.char_id, person.phone_no].join(' · ')}
              />
            ))}
          </ul>
        )}
      </div>
    </Modal>
  );
}
