import { useTexts } from '@karaar/i18n';
import { Icon } from '@karaar/ui';
import css from './promise.module.css';
import { layoutTexts } from './texts.ts';

const steps = [
  ['document', 'promiseWrite', 'promiseWriteText'],
  ['camera', 'promiseVerify', 'promiseVerifyText'],
  ['shield', 'promiseSeal', 'promiseSealText'],
] as const;

/** The purpose of Karaar in three steps. */
export function ProductPromise() {
  const t = useTexts(layoutTexts);
  return (
    <div className={css.promise}>
      <p className={css.title}>{t('promiseTitle')}</p>
      <ol className={css.steps}>
        {steps.map(([icon, title, text]) => (
          <li key={title} className={css.step}>
            <span className={css.icon}>
              <Icon name={icon} size={22} />
            </span>
            <span>
              <strong className={css.stepTitle}>{t(title)}</strong>
              <span className="k-muted">{t(text)}</span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
