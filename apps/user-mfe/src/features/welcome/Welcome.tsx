import { useTexts } from '@karaar/i18n';
import { Button, Icon, money, Seal } from '@karaar/ui';
import { Link } from 'react-router';
import { useTitle } from '../../shared/useTitle.ts';
import { useShell } from '../../shared/useShell.ts';
import { Law } from './Law.tsx';
import { MoreLinks } from './MoreLinks.tsx';
import { welcomeTexts } from './texts.ts';
import css from './welcome.module.css';

/** A price that is easy to check by head; the real rate is shown before a signature. */
const EXAMPLE = { rate: 1, days: 335 };

/** Created by `npm run sample`. */
const SAMPLE = new URL('./sample-agreement.pdf', import.meta.url).href;

const STEPS = [
  ['document', 'howUpload', 'howUploadText'],
  ['camera', 'howVerify', 'howVerifyText'],
  ['shield', 'howSeal', 'howSealText'],
] as const;

/** The public welcome page: the product, how it works, its price, and the law. */
export default function Welcome() {
  const t = useTexts(welcomeTexts);
  useTitle(t('welcome'));
  const { rate, days } = EXAMPLE;
  return (
    <div className={css.page}>
      <header className={css.hero}>
        <div>
          <h1>{t('title')}</h1>
          <p className={css.lead}>{t('lead')}</p>
          <Enter />
        </div>
        <span className={css.seal} aria-hidden="true">
          <Seal size={200} />
        </span>
      </header>
      <section className={css.part}>
        <h2>{t('how')}</h2>
        <ol className={css.steps}>
          {STEPS.map(([icon, title, text]) => (
            <li key={title}>
              <span className={css.icon}>
                <Icon name={icon} size={24} />
              </span>
              <h3>{t(title)}</h3>
              <p>{t(text)}</p>
            </li>
          ))}
        </ol>
        <p className={css.sample}>
          <a href={SAMPLE} target="_blank" rel="noopener">
            {t('sample')}
          </a>
        </p>
      </section>
      <section className={css.part}>
        <h2>{t('price')}</h2>
        <p className={css.text}>{t('priceText')}</p>
        <p className={css.example}>
          {t('priceExample', { rate: money(rate), days, total: money(rate * days) })}
        </p>
      </section>
      <Law />
      <MoreLinks />
    </div>
  );
}

/** Sign-in, registration, or a look at a document. A signed-in user continues to the dashboard. */
function Enter() {
  const t = useTexts(welcomeTexts);
  const { user } = useShell();
  return (
    <div className={css.enter}>
      {user ? (
        <Button as={Link} to="/dashboard" variant="primary">
          {t('dashboard')}
        </Button>
      ) : (
        <>
          <Button as={Link} to="/register" variant="primary">
            {t('register')}
          </Button>
          <Button as={Link} to="/login">
            {t('signIn')}
          </Button>
        </>
      )}
      <Button as={Link} to="/verify" icon="shield">
        {t('verify')}
      </Button>
    </div>
  );
}
