import { useTexts } from '@karaar/i18n';
import { copyText, Icon, toast } from '@karaar/ui';
import type { MouseEvent } from 'react';
import css from '../detail.module.css';
import { shareOrCopy } from '../share.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

/** The link by which others ask to join, for sharing: its reader is already on the document. */
export function JoinLink({ code, name }: { code: string; name: string }) {
  const t = useTexts(detailTexts);
  const path = `/join-document?code=${code}`;
  const pass = async (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const url = new URL(path, location.origin).href;
    if ((await shareOrCopy({ title: name, url }, copyText)) === 'copied') toast.success(t('joinCopied'));
  };
  return (
    <p className={css.join}>
      <a className="k-small" href={path} onClick={(event) => void pass(event)}>
        <Icon name="link" size={16} />
        <span>{t('shareJoin')}</span>
      </a>
      <span className="k-muted k-small">{t('shareJoinNote')}</span>
    </p>
  );
}
