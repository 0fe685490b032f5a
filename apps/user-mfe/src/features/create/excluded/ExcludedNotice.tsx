import { useTexts } from '@karaar/i18n';
import { Banner } from '@karaar/ui';
import { welcomeTexts } from '../../welcome/texts.ts';
import { namesExcluded } from './excluded.ts';

/** Tells that the law wants this instrument on paper. It does not stop anybody: the title may mislead. */
export default function ExcludedNotice({ titles }: { titles: readonly string[] }) {
  const title = titles.find(namesExcluded);
  return title === undefined ? null : <Notice title={title} />;
}

/** Loads its texts, which are those of the page about the law, only when it is shown. */
function Notice({ title }: { title: string }) {
  const t = useTexts(welcomeTexts);
  return (
    <Banner tone="warning">
      <strong>{t('excluded', { title })}</strong>
      <p>{t('excludedWhy')}</p>
    </Banner>
  );
}
