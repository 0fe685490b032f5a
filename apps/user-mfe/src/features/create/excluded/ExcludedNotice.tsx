import { useTexts } from '@karaar/i18n';
import { Banner } from '@karaar/ui';
import { namesExcluded } from './excluded.ts';
import { excludedTexts } from './texts.ts';

/** Tells that the law wants this instrument on paper. It does not stop anybody: the title may mislead. */
export default function ExcludedNotice({ titles }: { titles: readonly string[] }) {
  const t = useTexts(excludedTexts);
  const title = titles.find(namesExcluded);
  return title === undefined ? null : (
    <Banner tone="waiting">
      <strong>{t('excluded', { title })}</strong>
      <p>{t('excludedWhy')}</p>
    </Banner>
  );
}
