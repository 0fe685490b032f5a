import { useTexts } from '@karaar/i18n';
import { QrCode } from '@karaar/ui/qr';
import { verificationTexts } from './texts.ts';
import css from './verification.module.css';

/** For a computer without a camera: a code that opens the same place on a phone. */
export default function ContinueOnPhone({ path }: { path: string }) {
  const t = useTexts(verificationTexts);
  return (
    <section className={css.phone} aria-labelledby="continue-on-phone">
      <QrCode text={location.origin + path} label={t('phoneCode')} />
      <div>
        <h3 id="continue-on-phone">{t('phoneTitle')}</h3>
        <p className="k-muted">{t('phoneLead')}</p>
      </div>
    </section>
  );
}
