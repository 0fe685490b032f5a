import { useTexts } from '@karaar/i18n';
import { Avatar, userName } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { documentsPageQuery } from '../../../shared/queries.ts';
import { useUser } from '../../../shared/useShell.ts';
import { contactsOf } from './contacts.ts';
import css from '../create.module.css';
import { createTexts } from '../texts.ts';

/** The people of the user's latest agreements: one press selects the other party. */
export function Contacts({ chosen, onChoose }: { chosen: string; onChoose: (charId: string) => void }) {
  const t = useTexts(createTexts);
  const { user_id: own } = useUser();
  const latest = useQuery(documentsPageQuery({ search: '', status: '', sort: 'changed', cursor: '' }));
  const contacts = contactsOf(latest.data?.items ?? [], own);
  if (contacts.length === 0) return null;
  return (
    <div className={css.contacts} role="group" aria-label={t('contacts')}>
      <p className="k-muted k-small">{t('contacts')}</p>
      <ul>
        {contacts.map(({ char_id, name }) => (
          <li key={char_id}>
            <button
              type="button"
              className={css.contact}
              aria-pressed={char_id === chosen}
              onClick={() => onChoose(char_id)}
            >
              <Avatar name={userName(name)} size={32} />
              <span>{userName(name)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
