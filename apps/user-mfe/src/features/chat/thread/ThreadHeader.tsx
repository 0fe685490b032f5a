import type { ChatPerson } from '@karaar/contracts/messaging/http';
import { useTexts } from '@karaar/i18n';
import { Avatar, Icon, Menu, userName, type MenuItem } from '@karaar/ui';
import { Link } from 'react-router';
import { phoneText } from '../../../shared/phone-text.ts';
import css from '../chat.module.css';
import { chatTexts } from '../texts.ts';
import { useOnline, useTyping } from '../useLive.ts';

type ThreadHeaderProps = {
  person: ChatPerson;
  menu: readonly MenuItem[];
  /** True once one of the two has written: both may then see each other's presence. */
  begun: boolean;
};

/** The other person's name, phone and e-mail if visible, and presence. */
export function ThreadHeader({ person, menu, begun }: ThreadHeaderProps) {
  const t = useTexts(chatTexts);
  const name = userName(person.name);
  const online = useOnline([person.user_id], begun).has(person.user_id);
  const typing = useTyping(person.user_id);
  const state = typing ? t('typingNow') : online ? t('onlineNow') : null;
  return (
    <header className={css.threadHead}>
      <Link to="/chat" className={css.back} aria-label={t('allChats')}>
        <Icon name="arrowLeft" />
      </Link>
      <span className={css.headFace} data-online={online || undefined}>
        <Avatar name={name} size={44} />
      </span>
      <div className={css.who}>
        <div className={css.nameLine}>
          <h1>{name}</h1>
          {person.shared_documents > 0 && (
            <span className={css.shared} title={t('sharedDocuments', { count: person.shared_documents })}>
              <Icon name="document" size={14} />
              <span aria-hidden="true">{person.shared_documents}</span>
              <span className="k-hidden">{t('sharedDocuments', { count: person.shared_documents })}</span>
            </span>
          )}
          {state && (
            <span className={css.state} role="status">
              {state}
            </span>
          )}
        </div>
        <p className={css.contact}>
          <span className="k-num">{phoneText(person.phone_no)}</span>
          <span className={css.email}>{person.email}</span>
        </p>
      </div>
      <Menu label={t('menu', { name })} items={menu} />
    </header>
  );
}
