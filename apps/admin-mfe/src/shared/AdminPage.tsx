import { useTexts } from '@karaar/i18n';
import { Page } from '@karaar/ui';
import { useEffect, type ComponentProps } from 'react';
import { sharedTexts } from './texts.ts';

/** Sets the title of the browser tab, distinct from the users' screens. */
export function useTabTitle(title: string): void {
  const t = useTexts(sharedTexts);
  useEffect(() => {
    document.title = t('tabTitle', { title });
  }, [t, title]);
}

export function AdminPage(props: ComponentProps<typeof Page>) {
  useTabTitle(props.title);
  return <Page {...props} />;
}
