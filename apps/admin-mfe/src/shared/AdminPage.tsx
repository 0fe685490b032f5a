import { useTexts } from '@karaar/i18n';
import { Page } from '@karaar/ui';
import { useEffect, type ComponentProps } from 'react';
import { sharedTexts } from './texts.ts';

/** Names the browser tab, so that it is told from the users' side at a glance. */
export function useTabTitle(title: string): void {
  const t = useTexts(sharedTexts);
  useEffect(() => {
    document.title = t('tabTitle', { title });
  }, [t, title]);
}

/** An admin screen. */
export function AdminPage(props: ComponentProps<typeof Page>) {
  useTabTitle(props.title);
  return <Page {...props} />;
}
