import { Icon } from '@karaar/ui';
import css from './promise.module.css';
import { promiseTexts as texts } from './texts.ts';

/** What Karaar is for, in three steps. */
export function ProductPromise() {
  return (
    <div className={css.promise}>
      <p className={css.title}>{texts.title}</p>
      <ol className={css.steps}>
        {texts.steps.map(([icon, title, text]) => (
          <li key={title} className={css.step}>
            <span className={css.icon}>
              <Icon name={icon} size={22} />
            </span>
            <span>
              <strong className={css.stepTitle}>{title}</strong>
              <span className="k-muted">{text}</span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
